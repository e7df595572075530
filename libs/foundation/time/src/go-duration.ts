import { KubeletError } from '@podwright/errors';

const nanosecondsPerUnit: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  '\u00b5s': 1_000n, // micro sign
  '\u03bcs': 1_000n, // Greek letter mu
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const largest = 2n ** 63n;

/**
 * Parses Go's duration text (`1m30s`, `100ms`, `-1.5h`, `0`) to milliseconds, with fractions down to the nanosecond.
 * Throws `invalid-argument` with Go's message. Source: Go time.ParseDuration.
 */
export function parseGoDuration(text: string): number {
  const invalid = new KubeletError(`time: invalid duration ${JSON.stringify(text)}`, { code: 'invalid-argument' });
  const [, sign = '', body = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (body === '0') return 0;
  if (body === '') throw invalid;
  let total = 0n;
  let rest = body;
  while (rest !== '') {
    const [part, whole = '', fraction = '', unit = ''] = /^([0-9]*)(\.[0-9]*)?([^0-9.]*)/.exec(rest) ?? [];
    if (part === undefined || (whole === '' && fraction.length < 2)) throw invalid;
    if (unit === '') {
      const message = `time: missing unit in duration ${JSON.stringify(text)}`;
      throw new KubeletError(message, { code: 'invalid-argument' });
    }
    const scale = Object.hasOwn(nanosecondsPerUnit, unit) ? nanosecondsPerUnit[unit] : undefined;
    if (scale === undefined) {
      const message = `time: unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}`;
      throw new KubeletError(message, { code: 'invalid-argument' });
    }
    // As many digits as fit into 63 bits, as in Go; the rest cannot count.
    const digits = BigInt(fraction.slice(1, 20) || '0') > largest ? fraction.slice(1, 19) : fraction.slice(1, 20);
    // Floating point as in Go, which makes 0.3333333333333333333h twenty minutes.
    const fractional = Math.trunc(Number(digits || '0') * (Number(scale) / 10 ** digits.length));
    total += BigInt(whole.slice(0, 20) || '0') * scale + BigInt(fractional);
    if (whole.length > 20 || total > largest) throw invalid;
    rest = rest.slice(part.length);
  }
  if (total === largest && sign !== '-') throw invalid;
  const ms = Number(total / 1_000_000n) + Number(total % 1_000_000n) / 1e6;
  return sign === '-' && ms !== 0 ? -ms : ms;
}

/** Milliseconds as Go prints a duration: `1m30s`, `1h0m0s`, `1.5s`, `100ms`, `0s`. Source: Go time.Duration.String. */
export function formatGoDuration(ms: number): string {
  if (!Number.isFinite(ms)) throw new KubeletError(`not a duration: ${ms}`, { code: 'invalid-argument' });
  const whole = Math.trunc(ms);
  const signed = BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1e6));
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

function decimal(value: bigint, unit: bigint): string {
  const fraction = (value % unit)
    .toString()
    .padStart(unit.toString().length - 1, '0')
    .replace(/0+$/, '');
  return fraction === '' ? `${value / unit}` : `${value / unit}.${fraction}`;
}
