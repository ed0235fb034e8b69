// One form of a host name of the many that people and programs write. The same as package
// filters/names in Go, whose documentation states the rules; ../../testdata/names.json
// holds both.

const scratch = new Uint8Array(256);

/**
 * The canonical form of a host: lower-case ASCII without empty labels, or an IP address, in
 * brackets if it is one of IPv6. "" if it is no host name.
 */
export function canonicalHost(host: string): string {
  if (copyPlain(host, scratch)) return host;
  // What the URL parser would drop or take for the end of the host is not part of one.
  if (host === "" || /[\t\n\r/\\?#@]/.test(host)) return "";
  if (host.charCodeAt(0) === 91 /* [ */) return host.endsWith("]") ? parse(host) : "";
  return parse(host.includes(":") ? `[${host}]` : host);
}

/** The canonical host of a URL, which must have its scheme. "" if it has none. */
export function hostOfUrl(url: string): string {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return "";
  }
  const host = parsed.hostname;
  // The host of a scheme that the standard does not know is left as it stood.
  return host === "" ? "" : canonicalHost(host);
}

const hyphen = 45, dot = 46, underscore = 95;

/**
 * Writes a name's bytes to the start of an array, if they fit and the name is canonical by
 * its looks: lower-case letters, digits, hyphens and underscores, no empty label, no punycode
 * to be looked into, no last label that may be a number. Else it returns false, and what it
 * wrote is of no use.
 */
export function copyPlain(name: string, into: Uint8Array): boolean {
  if (name.length > into.length) return false;
  let start = 0; // of the current label
  for (let i = 0; i < name.length; i++) {
    const c = name.charCodeAt(i);
    into[i] = c;
    if (c >= 97 && c <= 122) continue;
    if (c === dot) {
      if (i === start) return false;
      start = i + 1;
    } else if (c === hyphen) {
      if (i === start + 3 && name.startsWith("xn-", start)) return false;
    } else if (c !== underscore && !isDigit(c)) {
      return false;
    }
  }
  return start < name.length && !isDigit(name.charCodeAt(start));
}

function isDigit(c: number): boolean {
  return c >= 48 && c <= 57;
}

/**
 * Applies the standard, takes the empty labels out and, if there were any, applies it again.
 */
function parse(host: string): string {
  const canonical = parseOnce(host);
  const short = canonical.split(".").filter(Boolean).join(".");
  return short === canonical ? canonical : short === "" ? "" : parseOnce(short);
}

function parseOnce(host: string): string {
  try {
    // The slash keeps the parser from trimming what the host ends in.
    // Chromium escapes what the standard refuses, and the asterisk, which it does not.
    const name = new URL(`http://${host}/`).hostname.replaceAll("%2A", "*");
    if (name.includes("%")) return "";
    // Punycode for nothing but ASCII, which UTS 46 refuses and some engines let pass.
    return /(^|\.)xn--[^.]*-(\.|$)/.test(name) ? "" : name;
  } catch {
    return "";
  }
}
