import { goQuote } from '@podwright/kube-types';

/** Values of each name in their order, with names in lower case. */
export type ResponseHeaders = ReadonlyMap<string, readonly string[]>;

/** An error of Go's client about what a server says that is no HTTP/1. */
export const brokenAnswer = (text: string): Error =>
  new Error(`net/http: HTTP/1.x transport connection broken: ${text}`);

const fieldName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z ]+$/;
const notInValues = /[\0-\x08\x0A-\x1F\x7F]/;

/**
 * The header lines of an answer. Throws for a line that Go refuses, with its text. Source: Go net/textproto reader.go
 * readMIMEHeader, which takes folded lines and blanks in names.
 */
export function parseHeaders(text: string): ResponseHeaders {
  const headers = new Map<string, string[]>();
  for (const line of unfolded(text)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1);
    if (!fieldName.test(name) || notInValues.test(value))
      throw brokenAnswer(`malformed MIME header line: ${quoted(line)}`);
    const values = headers.get(name.toLowerCase());
    if (values === undefined) headers.set(name.toLowerCase(), [value.trim()]);
    else values.push(value.trim());
  }
  return headers;
}

function unfolded(text: string): readonly string[] {
  const lines: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (line === '') continue;
    if (/^[ \t]/.test(line)) {
      const last = lines.pop();
      if (last === undefined) throw brokenAnswer(`malformed MIME header initial line: ${quoted(line.slice(0, 80))}`);
      lines.push(`${last} ${trimmed(line)}`);
      continue;
    }
    // A name that is folded would have no colon.
    if (!line.includes(':')) throw brokenAnswer(`malformed MIME header: missing colon: ${quoted(line)}`);
    lines.push(trimmed(line));
  }
  return lines;
}

const trimmed = (line: string): string => line.replace(/^[ \t]+|[ \t]+$/g, '');
// Events show it, so a long line is cut.
const quoted = (line: string): string => goQuote(line.slice(0, 200));
