const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** A duration as people say it: `0ms`, `350ms`, `4.2s`, `1m30s`, `3h5m`, `2d4h`. */
export function span(ms: number): string {
  const whole = Math.max(0, Math.round(ms));
  if (whole < second) return `${whole}ms`;
  if (whole < 10 * second) return `${(Math.floor(whole / 100) / 10).toString()}s`;
  if (whole < minute) return `${Math.floor(whole / second)}s`;
  if (whole < hour) return pair(whole, minute, 'm', second, 's');
  if (whole < day) return pair(whole, hour, 'h', minute, 'm');
  return pair(whole, day, 'd', hour, 'h');
}

function pair(ms: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)}${largeUnit}${rest === 0 ? '' : `${rest}${smallUnit}`}`;
}

const binary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'];

/** Bytes with three digits and a binary unit: `512Mi`, `1.5Gi`. */
export function bytes(amount: number): string {
  let value = Math.abs(amount);
  let unit = 0;
  while (value >= 1024 && unit < binary.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const text =
    value >= 100 || Number.isInteger(value) ? String(Math.round(value)) : String(Math.round(value * 10) / 10);
  return `${amount < 0 ? '-' : ''}${text}${binary[unit] ?? ''}`;
}
