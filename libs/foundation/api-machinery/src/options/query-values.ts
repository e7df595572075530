/** Whether a parameter of a query means yes. */
export function isTrue(text: string | null): boolean {
  return text === 'true' || text === '1';
}
