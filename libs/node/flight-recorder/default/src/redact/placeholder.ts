/** As many bytes as the secret had, so that sizes stay what they were. */
export const placeholder = (length: number): string => 'x'.repeat(length);

/** For a value in base64. */
export function base64Placeholder(encoded: string): string {
  return Buffer.alloc(Buffer.byteLength(encoded, 'base64'), 'x').toString('base64');
}
