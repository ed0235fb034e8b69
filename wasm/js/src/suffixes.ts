// How far up from a host its parents are asked for: to the registrable domain by the
// public-suffix list, private section too. The same as Shortest of package filters/names in
// Go. The rules come from a kept library, see tools/suffixes.mjs; they are looked up here,
// because the library's own look-up takes longer than a check of a list may.
import { icannRules, privateRules } from "./rules.js";

// A node is a suffix that rules end in, of one label more than its parent; node 0 is the
// root. A hash table finds a node by the hash of the suffix, its parent and its label.
const bits = 15;
const table = new Uint16Array(1 << bits); // of nodes; 0 is a free slot
const text = new TextEncoder().encode(icannRules + privateRules);
const most = 1 << (bits - 1);
const labelOf = new Int32Array(most); // where a node's label is in the text
const lengthOf = new Uint8Array(most); // of the label
const parentOf = new Uint16Array(most);
const hashOf = new Int32Array(most);
const flagsOf = new Uint8Array(most);
let nodes = 1;

// What most hosts need to be told: that their last two labels are no node, nor the last label
// one with a wildcard. A bit for the hash of every node of two labels, and one for the last two
// characters of every node of one label with a wildcard.
const pairs = new Uint8Array(1 << 14);
const wildcards = new Uint8Array(1 << 13);

// Flags of a node: a rule of a section, one of a section for every name just below it, an
// exception, the parent of other nodes.
const icann = 1, priv = 2, wildcard = 2 /* to shift a section by */, exception = 16, parent = 32;

const exclamation = 33, close = 41, star = 42, comma = 44, hyphen = 45, dot = 46, open = 91;

function setBit(set: Uint8Array, i: number): void {
  set[i >>> 3]! |= 1 << (i & 7);
}

function hasBit(set: Uint8Array, i: number): boolean {
  return (set[i >>> 3]! & (1 << (i & 7))) !== 0;
}

/** The hash of a suffix of one character more, to the left. */
function mix(hash: number, c: number): number {
  return Math.imul(hash ^ c, 0x01000193);
}

function lastTwo(s: Uint8Array, end: number): number {
  return (s[end - 2]! << 8) | s[end - 1]!;
}

/** So many bits of a hash, well mixed. */
function top(hash: number, bits: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> (32 - bits);
}

/** The node for the label of s from start to end below a node, or 0. */
function find(hash: number, above: number, s: Uint8Array, start: number, end: number): number {
  for (let slot = top(hash, bits); ; slot = (slot + 1) & (table.length - 1)) {
    const node = table[slot]!;
    if (node === 0) return 0;
    if (hashOf[node] === hash && parentOf[node] === above && lengthOf[node] === end - start && isLabel(node, s, start)) return node;
  }
}

function isLabel(node: number, s: Uint8Array, start: number): boolean {
  const label = labelOf[node]!;
  for (let i = 0; i < lengthOf[node]!; i++) {
    if (text[label + i] !== s[start + i]) return false;
  }
  return true;
}

/** Finds or makes the node for a label of the text below a node. */
function enter(above: number, start: number, end: number): number {
  let hash = above === 0 ? 0 : mix(hashOf[above]!, dot);
  for (let i = end - 1; i >= start; i--) hash = mix(hash, text[i]!);
  // The first section has every node once.
  let node = start < icannRules.length ? 0 : find(hash, above, text, start, end);
  if (node !== 0) return node;
  node = nodes++;
  labelOf[node] = start;
  lengthOf[node] = end - start;
  parentOf[node] = above;
  hashOf[node] = hash;
  flagsOf[above]! |= parent;
  if (above !== 0 && parentOf[above] === 0) setBit(pairs, top(hash, 17));
  let slot = top(hash, bits);
  while (table[slot] !== 0) slot = (slot + 1) & (table.length - 1);
  table[slot] = node;
  return node;
}

/** Reads the rules of a section, which stand in the text from at to end. */
function load(section: number, at: number, end: number): void {
  const above: number[] = [];
  let node = 0;
  let start = at; // of the current label
  for (let i = at; i <= end; i++) {
    const c = i < end ? text[i]! : comma;
    if (c === hyphen || (c >= 48 && c !== open)) continue; // in a label
    let child = 0;
    if (i > start) {
      child = enter(node, start, i);
      if (text[start - 1] === exclamation) flagsOf[child]! |= exception;
      else if (c !== open) flagsOf[child]! |= section;
    }
    start = i + 1;
    if (c === star) {
      flagsOf[node]! |= section << wildcard;
      if (parentOf[node] === 0) setBit(wildcards, lastTwo(text, labelOf[node]! + lengthOf[node]!));
    } else if (c === close) node = above.pop()!;
    else if (child !== 0 && c !== comma) {
      above.push(node);
      node = child;
    }
  }
}

load(icann, 0, icannRules.length);
load(priv, icannRules.length, text.length);

/**
 * How long the shortest name is that a list is asked for when it is asked for a canonical
 * host, which is the first length bytes: as long as the registrable domain; as the host
 * itself if that is asked for alone (an IP address, a suffix of the private section as
 * github.io); one more than the host if nothing is asked for (com, co.uk, any name of one
 * label).
 */
export function shortest(host: Uint8Array, length: number): number {
  let i = length - 1;
  const last = host[i]!;
  if (last === 93 /* ] */ || (last >= 48 && last <= 57) || hasBit(wildcards, lastTwo(host, length))) return lookUp(host, length);
  let hash = 0;
  for (; i >= 0 && host[i] !== dot; i--) hash = mix(hash, host[i]!);
  if (i < 0) return length + 1;
  hash = mix(hash, dot);
  for (i--; i >= 0 && host[i] !== dot; i--) hash = mix(hash, host[i]!);
  return hasBit(pairs, top(hash, 17)) ? lookUp(host, length) : length - 1 - i;
}

/** The same by the rules. */
function lookUp(host: Uint8Array, length: number): number {
  if (isAddress(host, length)) return length;
  let node = 0, hash = 0;
  let end = length; // of the label that i is in
  let suffix = length, section = 0; // where the longest suffix by a rule starts, and the rule's section
  let i = length - 1;
  for (; i >= -1; i--) {
    const c = i < 0 ? dot : host[i]!;
    if (c !== dot) {
      hash = mix(hash, c);
      continue;
    }
    let flags = flagsOf[node]!;
    if (flags & (3 << wildcard)) {
      suffix = i + 1;
      section = (flags >> wildcard) & 3;
    }
    if (!(flags & parent)) break;
    node = find(hash, node, host, i + 1, end);
    if (node === 0) break;
    flags = flagsOf[node]!;
    if (flags & exception) {
      suffix = end + 1;
      break;
    }
    if (flags & (icann | priv)) {
      suffix = i + 1;
      section = flags & (icann | priv);
    }
    end = i;
    hash = mix(hash, dot);
  }
  if (suffix === length) suffix = labelStart(host, length); // no rule: the last label
  if (suffix === 0) return section === priv ? length : length + 1;
  if (suffix === end + 1) return length - i - 1;
  return length - labelStart(host, suffix - 1);
}

/** Where the label starts that ends before end. */
function labelStart(host: Uint8Array, end: number): number {
  while (end > 0 && host[end - 1] !== dot) end--;
  return end;
}

/** Whether a canonical host is an IP address: the last label of no other is a number. */
function isAddress(host: Uint8Array, length: number): boolean {
  let i = length - 1;
  if (host[i] === 93 /* ] */) return true;
  while (i >= 0 && host[i]! >= 48 && host[i]! <= 57) i--;
  return i < length - 1 && host[i] === dot;
}
