/** Whether a text matches a pattern in which `*` stands for any text, and everything else for itself. */
export function matchesPattern(pattern: string, text: string): boolean {
  if (pattern === '*') return true;
  const parts = pattern.split('*');
  const [head = ''] = parts;
  const tail = parts.at(-1) ?? '';
  if (parts.length === 1) return text === pattern;
  if (!text.startsWith(head) || !text.endsWith(tail) || text.length < head.length + tail.length) return false;
  let at = head.length;
  const end = text.length - tail.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
