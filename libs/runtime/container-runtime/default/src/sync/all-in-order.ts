/**
 * Awaits concurrent work. When several parts fail, it rejects with the first one in the list, so that users see the
 * same error as with sequential work.
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
