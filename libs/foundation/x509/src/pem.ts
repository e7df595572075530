import { KubeletError } from '@podwright/errors';

/** One `-----BEGIN label-----` block. */
export interface PemBlock {
  readonly label: string;
  readonly der: Buffer;
}

const block = /-----BEGIN ([A-Z0-9 ]+)-----\s*([A-Za-z0-9+/=\s]*)-----END \1-----/g;

/** All PEM blocks of a text in order. Skips other text, and blocks that have headers. */
export function pemBlocks(text: string): readonly PemBlock[] {
  return [...text.matchAll(block)].map(([, label = '', base64 = '']) => ({
    label,
    der: Buffer.from(base64, 'base64'),
  }));
}

/** The first block with one of the labels. Throws `invalid-argument` that names the labels when there is none. */
export function pemBlock(text: string, ...labels: readonly string[]): PemBlock {
  const found = pemBlocks(text).find(({ label }) => labels.includes(label));
  if (found !== undefined) return found;
  throw new KubeletError(`no PEM block of type ${labels.join(' or ')}`, { code: 'invalid-argument' });
}

const looseBlock = /-----BEGIN ([^\n]*?)-----[ \t]*\r?\n([\s\S]*?)-----END \1-----[ \t]*(?:\r?\n|$)/g;

/**
 * All PEM blocks of a text in order, as Go's pem.Decode finds them: also those with headers, which are dropped. What is
 * no base64 is no block.
 */
export function decodePem(text: string): readonly PemBlock[] {
  return [...text.matchAll(looseBlock)].flatMap(([, label = '', body = '']) => {
    const base64 = withoutHeaders(body).replaceAll(/\s/g, '');
    const der = Buffer.from(base64, 'base64');
    return der.toString('base64') === base64 && der.length > 0 ? [{ label, der }] : [];
  });
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
