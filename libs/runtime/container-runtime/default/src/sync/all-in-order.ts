/**
 * Awaits work that runs side by side. When several parts fail, the first in the list counts, so that users see the
 * same error as if it had been done one after another.
 */
export async function allInOrder<const T extends readonly unknown[]>(
  parts: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const outcomes = await Promise.allSettled(parts);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  const values = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : undefined));
  return values as { -readonly [K in keyof T]: Awaited<T[K]> };
}
