import { KubeletError } from '@podwright/errors';

/** A span of time in the notation of Go, such as `1m30s` or `100ms`; the form of every duration in a configuration. */
export type Duration = string;

const unitNanoseconds: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n, // U+00B5, the micro sign
  μs: 1_000n, // U+03BC, the Greek letter
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const max = 2n ** 63n - 1n;

/** Nanoseconds of a Go duration. @throws KubeletError `invalid-argument` in the words of Go's time.ParseDuration. */
export function durationToNanoseconds(text: Duration): bigint {
  const fault = (what: string): KubeletError =>
    new KubeletError(`time: ${what} ${JSON.stringify(text)}`, { code: 'invalid-argument' });
  const sign = text.startsWith('-') ? -1n : 1n;
  let rest = text.replace(/^[-+]/, '');
  if (rest === '0') return 0n;
  if (rest === '' || text.length > 100) throw fault('invalid duration');
  let total = 0n;
  while (rest !== '') {
    const match = /^(\d*)(?:\.(\d*))?([^\d.]*)/.exec(rest);
    const [part = '', whole = '', fraction = '', unit = ''] = match ?? [];
    if (whole === '' && fraction === '') throw fault('invalid duration');
    if (unit === '') throw fault('missing unit in duration');
    const factor = Object.hasOwn(unitNanoseconds, unit) ? unitNanoseconds[unit] : undefined;
    if (factor === undefined) throw fault(`unknown unit ${JSON.stringify(unit)} in duration`);
    total += BigInt(whole === '' ? 0 : whole) * factor;
    if (fraction !== '') total += (BigInt(fraction) * factor) / 10n ** BigInt(fraction.length);
    rest = rest.slice(part.length);
  }
  if (total > max) throw fault('invalid duration');
  return sign * total;
}

/** Milliseconds of a Go duration, with fractions. @throws as {@link durationToNanoseconds}. */
export function durationToMs(text: Duration): number {
  return Number(durationToNanoseconds(text)) / 1e6;
}

/** Go's `Duration.String()`: `90s` -> `1m30s`, `3600s` -> `1h0m0s`, zero -> `0s`. */
export function formatDuration(nanoseconds: bigint): Duration {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const value = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const second = 1_000_000_000n;
  if (value < second) {
    const [unit, factor] = value < 1_000n ? ['ns', 1n] : value < 1_000_000n ? ['µs', 1_000n] : ['ms', 1_000_000n];
    return `${sign}${decimal(value, factor as bigint)}${unit as string}`;
  }
  const hours = value / (3600n * second);
  const minutes = (value / (60n * second)) % 60n;
  const seconds = `${decimal(value % (60n * second), second)}s`;
  if (hours > 0n) return `${sign}${hours}h${minutes}m${seconds}`;
  return minutes > 0n ? `${sign}${minutes}m${seconds}` : `${sign}${seconds}`;
}

/** `value / unit` without trailing zeros. */
function decimal(value: bigint, unit: bigint): string {
  const digits = unit.toString().length - 1;
  const fraction = (value % unit).toString().padStart(digits, '0').replace(/0+$/, '');
  return fraction === '' || digits === 0 ? `${value / unit}` : `${value / unit}.${fraction}`;
}
