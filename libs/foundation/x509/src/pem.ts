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

/** Formats a PEM block as Go does, with lines of 64 characters and a newline at the end. */
export function formatPem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.map((line) => `${line}\n`).join('')}-----END ${label}-----\n`;
}
