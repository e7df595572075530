/** `2026_01_31_23_59_59` in UTC, the start of the names of data directories. */
export function formatTimestamp(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 19).replace(/[-:T]/g, '_');
}
