import { KubeletError } from '@podwright/errors';

/** One `-----BEGIN label-----` block. */
export interface PemBlock {
  readonly label: string;
  readonly der: Buffer;
}

const beginLine = /-----BEGIN ([A-Z0-9 ]+)-----/g;
const base64Text = /[A-Za-z0-9+/=\s]*/y;

/** All PEM blocks of a text in order. Skips other text, and blocks that have headers. */
export function pemBlocks(text: string): readonly PemBlock[] {
  const blocks: PemBlock[] = [];
  // Not one expression for the whole block: its time would grow with the square of a block that does not end.
  for (const { 0: line, 1: label = '', index } of text.matchAll(beginLine)) {
    const start = index + line.length;
    base64Text.lastIndex = start;
    const [base64 = ''] = base64Text.exec(text) ?? [];
    if (text.startsWith(`-----END ${label}-----`, start + base64.length))
      blocks.push({ label, der: Buffer.from(base64, 'base64') });
  }
  return blocks;
}

/** The first block with one of the labels. Throws `invalid-argument` that names the labels when there is none. */
export function pemBlock(text: string, ...labels: readonly string[]): PemBlock {
  const found = pemBlocks(text).find(({ label }) => labels.includes(label));
  if (found !== undefined) return found;
  throw new KubeletError(`no PEM block of type ${labels.join(' or ')}`, { code: 'invalid-argument' });
}

const looseBeginLine = /(?<![^\n])-----BEGIN ([^\n]*?)-----[ \t]*\r?\n/g;
const endMark = '\n-----END ';

/**
 * All PEM blocks of a text in order, as Go's pem.Decode finds them: also those with headers, which are dropped. What is
 * no base64 is no block. A block ends at the first line that ends one, which must have its label.
 */
export function decodePem(text: string): readonly PemBlock[] {
  const blocks: PemBlock[] = [];
  let end = 0;
  const begins = [...text.matchAll(looseBeginLine)];
  for (const [place, { 0: line, 1: label = '', index }] of begins.entries()) {
    const start = index + line.length;
    // The line break before the end may be that of the first line. Searched once for all blocks that do not end before.
    if (end < start - 1) end = text.indexOf(endMark, start - 1);
    if (end < 0) break;
    // A line that begins a block is no base64. To read the text of each would take the square of its length.
    if ((begins[place + 1]?.index ?? Infinity) < end) continue;
    const base64 = withoutHeaders(text.slice(start, end)).replaceAll(/\s/g, '');
    const der = Buffer.from(base64, 'base64');
    const lineEnd = text.indexOf('\n', end + 1);
    const rest = text.slice(end + endMark.length, lineEnd < 0 ? text.length : lineEnd).replace(/[ \t\r]+$/, '');
    if (rest === `${label}-----` && der.length > 0 && der.toString('base64') === base64) blocks.push({ label, der });
  }
  return blocks;
}

function withoutHeaders(body: string): string {
  const end = body.search(/\r?\n\r?\n/);
  return end >= 0 && body.slice(0, end).includes(':') ? body.slice(end) : body;
}

/** Formats a PEM block as Go does, with lines of 64 characters and a newline at the end. */
export function formatPem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.map((line) => `${line}\n`).join('')}-----END ${label}-----\n`;
}
