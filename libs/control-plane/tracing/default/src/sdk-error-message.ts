/**
 * Extracts the message from the JSON, with stack and details, that the SDK logs for an error. Returns other text as it
 * is.
 */
export function sdkErrorMessage(text: string): string {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    return typeof message === 'string' ? message : text;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
