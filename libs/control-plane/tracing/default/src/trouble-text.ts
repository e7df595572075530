/** What the SDK says of an error: its message, of the JSON with stack and all that it writes. Other text stays as it is. */
export function troubleText(text: string): string {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    return typeof message === 'string' ? message : text;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
