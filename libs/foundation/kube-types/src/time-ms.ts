/** RFC 3339 to Unix milliseconds. Times of objects from an API server may also be absent or unreadable: undefined. */
export function timeMs(time: unknown): number | undefined {
  const ms = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
