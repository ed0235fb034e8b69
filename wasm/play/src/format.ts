// Which form a list is in.

export const formats = {
  domains: "names of hosts, one a line",
  hosts: "a hosts file (0.0.0.0 name)",
  adblock: "adblock rules (||name^)",
  plain: "any text, one key a line, as it stands",
} as const;

export type Format = keyof typeof formats;

/** A guess from the beginning of a list: what most of its lines look like. */
export function guessFormat(beginning: string): Format {
  const votes = { domains: 0, hosts: 0, adblock: 0, plain: 0 };
  for (const raw of beginning.split("\n")) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    if (line.startsWith("!") || line.startsWith("||") || line.startsWith("@@") || /^\[adblock/i.test(line)) votes.adblock++;
    else if (/^(\d+\.\d+\.\d+\.\d+|[0-9a-f:]*::[0-9a-f.:]*)\s+\S/i.test(line)) votes.hosts++;
    else if (/^(\*\.)?[^\s/:@]+\.[^\s/:@]+(\s+#.*)?$/.test(line)) votes.domains++;
    else votes.plain++;
  }
  return (Object.keys(votes) as Format[]).reduce((best, format) => (votes[format] > votes[best] ? format : best));
}
