/**
 * Joins messages without duplicates; puts several in brackets. Source: kubernetes v1.36 apimachinery/pkg/util/errors.
 */
export function aggregateMessage(problems: readonly string[]): string {
  const different = [...new Set(problems)];
  return different.length === 1 ? (different[0] ?? '') : `[${different.join(', ')}]`;
}
