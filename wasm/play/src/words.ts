// Numbers in words.

const whole = new Intl.NumberFormat("en");

export function count(n: number, one: string, more = one + "s"): string {
  return `${whole.format(n)} ${n === 1 ? one : more}`;
}

export function number(n: number): string {
  return whole.format(n);
}

/** A number to so many significant digits, without an exponent unless it is very small. */
export function digits(n: number, most = 3): string {
  if (n !== 0 && Math.abs(n) < 1e-7) return n.toExponential(most - 1);
  return new Intl.NumberFormat("en", { maximumSignificantDigits: most }).format(n);
}

export function bytes(n: number): string {
  if (n < 1000) return count(Math.ceil(n), "byte");
  if (n < 999_500) return `${digits(n / 1e3)} kB`;
  return n < 999_500_000 ? `${digits(n / 1e6)} MB` : `${digits(n / 1e9)} GB`;
}

/** A rate as one in so many. */
export function oneIn(rate: number): string {
  if (rate <= 0) return "none";
  if (rate >= 0.95) return "all";
  const n = 1 / rate;
  return `1 in ${n < 10 ? digits(n, 2) : digits(n, 3)}`;
}

export function percent(share: number): string {
  return `${digits(share * 100)} %`;
}
