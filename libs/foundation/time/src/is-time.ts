/** True for a value that can be a clock's milliseconds: a finite number, not negative. For values read from files. */
export function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
