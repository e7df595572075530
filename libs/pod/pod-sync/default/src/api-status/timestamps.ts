/** RFC 3339 with whole seconds, as the API keeps times. `nanoseconds` since 1970; 0n gives undefined. */
export function apiTime(nanoseconds: bigint): string | undefined {
  if (nanoseconds === 0n) return undefined;
  return new Date(Number(nanoseconds / 1_000_000n)).toISOString().replace(/\.\d+Z$/, 'Z');
}
