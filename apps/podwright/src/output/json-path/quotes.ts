/** The place of the quote that ends a text, -1 without one; one after a backslash does not. */
export function closingQuote(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === quote && text[at - 1] !== '\\') return at;
  }
  return -1;
}

/** The place of the `)` that ends a filter, -1 without one; one in quotes does not. */
export function filterEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === ')') return at;
    if (char === '"' || char === "'") {
      at = closingQuote(text, at + 1, char);
      if (at === -1) return -1;
    }
  }
  return -1;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

export function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, char: string) => escapes[char] ?? char);
}
