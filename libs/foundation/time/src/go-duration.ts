import { KubeletError } from '@podwright/errors';

const nanosecondsPerUnit: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['\u00b5s', 1_000n], // micro sign
  ['\u03bcs', 1_000n], // Greek letter mu
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);
const largest = 2n ** 63n;

/**
 * Parses Go's duration text (`1m30s`, `100ms`, `-1.5h`, `0`) to nanoseconds.
 * Throws `invalid-argument` with Go's message. Source: Go time.ParseDuration.
 */
export function parseGoNanoseconds(text: string): bigint {
  const fault = (what: string): KubeletError =>
    new KubeletError(`time: ${what} ${quote(text)}`, { code: 'invalid-argument' });
  const negative = text.startsWith('-');
  const body = text.replace(/^[-+]/, '');
  if (body === '0') return 0n;
  if (body === '') throw fault('invalid duration');
  let total = 0n;
  const term = /([0-9]*)(?:\.([0-9]*))?([^0-9.]*)/y;
  while (term.lastIndex < body.length) {
    const [, whole = '', fraction = '', unit = ''] = term.exec(body) ?? [];
    if (whole === '' && fraction === '') throw fault('invalid duration');
    const amount = integer(whole);
    if (amount > largest) throw fault('invalid duration');
    if (unit === '') throw fault('missing unit in duration');
    const scale = nanosecondsPerUnit.get(unit);
    if (scale === undefined) throw fault(`unknown unit ${quote(unit)} in duration`);
    total += amount * scale + fractionOf(fraction, scale);
    if (total > largest) throw fault('invalid duration');
  }
  if (total === largest && !negative) throw fault('invalid duration');
  return negative ? -total : total;
}

/** As {@link parseGoNanoseconds}, in milliseconds with fractions. */
export function parseGoDuration(text: string): number {
  const nanoseconds = parseGoNanoseconds(text);
  return Number(nanoseconds / 1_000_000n) + Number(nanoseconds % 1_000_000n) / 1e6;
}

/** Nanoseconds as Go prints a duration: `1m30s`, `1h0m0s`, `1.5s`, `100ms`, `0s`. Source: Go time.Duration.String. */
export function formatGoNanoseconds(signed: bigint): string {
  const nanoseconds = signed < 0n ? -signed : signed;
  const sign = signed < 0n ? '-' : '';
  if (nanoseconds === 0n) return '0s';
  if (nanoseconds < 1_000n) return `${sign}${nanoseconds}ns`;
  if (nanoseconds < 1_000_000n) return `${sign}${decimal(nanoseconds, 1_000n)}\u00b5s`;
  if (nanoseconds < 1_000_000_000n) return `${sign}${decimal(nanoseconds, 1_000_000n)}ms`;
  const minutes = nanoseconds / 60_000_000_000n;
  const seconds = `${decimal(nanoseconds % 60_000_000_000n, 1_000_000_000n)}s`;
  if (minutes === 0n) return sign + seconds;
  return minutes < 60n ? `${sign}${minutes}m${seconds}` : `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** As {@link formatGoNanoseconds}, from milliseconds. Throws `invalid-argument` for NaN and infinities. */
export function formatGoDuration(ms: number): string {
  if (!Number.isFinite(ms)) throw new KubeletError(`not a duration: ${ms}`, { code: 'invalid-argument' });
  const whole = Math.trunc(ms);
  return formatGoNanoseconds(BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1e6)));
}

/** Reads at most twenty digits, because BigInt takes quadratic time for long texts; twenty are out of range already. */
function integer(digits: string): bigint {
  return BigInt(digits.replace(/^0+/, '').slice(0, 20) || '0');
}

/**
 * Like Go, uses floating point and only the digits that fit into 63 bits: `0.3333333333333333333h` is twenty minutes.
 */
function fractionOf(digits: string, scale: bigint): bigint {
  let [value, divisor] = [0n, 1];
  for (const digit of digits) {
    const longer = value * 10n + BigInt(digit);
    if (value > (largest - 1n) / 10n || longer > largest) break;
    [value, divisor] = [longer, divisor * 10];
  }
  return BigInt(Math.trunc(Number(value) * (Number(scale) / divisor)));
}

/** Quotes as Go's time package does, unlike the rest of Go: all but printable ASCII is escaped byte by byte. */
function quote(text: string): string {
  const hex = (part: string): string =>
    [...Buffer.from(part)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
  return `"${text.replace(/["\\]/g, '\\$&').replace(/[^ -\x7f]/gu, hex)}"`;
}

function decimal(value: bigint, unit: bigint): string {
  const fraction = (value % unit)
    .toString()
    .padStart(unit.toString().length - 1, '0')
    .replace(/0+$/, '');
  return fraction === '' ? `${value / unit}` : `${value / unit}.${fraction}`;
}
