const htmlEscapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};
/** As Go's html.EscapeString. */
export const escapeHtml = (value: string): string => value.replace(/[&<>"']/g, (char) => htmlEscapes[char] ?? char);
