import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { KubeletError } from '@podwright/errors';
import type { OfflineCopy, OfflineKind, OfflineRef } from '@podwright/offline-objects-interface';

const cipher = 'aes-256-gcm';
export const keyBytes = 32;
export const nonceBytes = 12;
const tagBytes = 16;
const newline = 0x0a;

/** The first line of a file: readable, and part of what the cipher authenticates, so that files cannot be swapped. */
interface Header extends OfflineRef {
  readonly version: 1;
  readonly savedAtMs: number;
}

export interface SealedText {
  readonly ref: OfflineRef;
  readonly json: string;
  readonly savedAtMs: number;
}

/** Names may be longer than a file name, and have any character. */
export const sealedFileName = ({ kind, namespace, name }: OfflineRef): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, namespace, name]))
    .digest('hex');

export interface Seal {
  readonly key: Uint8Array;
  /** {@link nonceBytes} that no other file sealed with the key has had. */
  readonly nonce: Uint8Array;
}

/** Header, newline, nonce, tag, ciphertext of the JSON text. */
export function seal({ key, nonce }: Seal, { ref, json, savedAtMs }: SealedText): Buffer {
  const { kind, namespace, name } = ref;
  const fields: Header = { version: 1, kind, namespace, name, savedAtMs };
  const header = Buffer.from(`${JSON.stringify(fields)}\n`);
  const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(header);
  const text = Buffer.concat([sealing.update(json, 'utf8'), sealing.final()]);
  return Buffer.concat([header, nonce, sealing.getAuthTag(), text]);
}

/** Throws `data-loss` for a file that was changed, cut, renamed or sealed with another key. */
export function unseal<T>(key: Uint8Array, fileName: string, content: Buffer): OfflineCopy<T> {
  const end = content.indexOf(newline) + 1;
  const { kind, namespace, name, savedAtMs } = readHeader(content.subarray(0, end));
  const ref = { kind, namespace, name };
  if (sealedFileName(ref) !== fileName) throw damaged(`it is about ${kind} ${namespace}/${name}`);
  if (content.length < end + nonceBytes + tagBytes) throw damaged('it is too short');
  const text = end + nonceBytes + tagBytes;
  try {
    const opening = createDecipheriv(cipher, key, content.subarray(end, end + nonceBytes), { authTagLength: tagBytes })
      .setAAD(content.subarray(0, end))
      .setAuthTag(content.subarray(end + nonceBytes, text));
    const json = Buffer.concat([opening.update(content.subarray(text)), opening.final()]).toString('utf8');
    return { ref, object: JSON.parse(json) as T, savedAtMs };
  } catch (error) {
    throw damaged('it does not decrypt with the key', error);
  }
}

function readHeader(line: Buffer): Header {
  try {
    const header = JSON.parse(line.toString('utf8')) as Partial<Header> | null;
    const { version, kind, namespace, name, savedAtMs } = header ?? {};
    if (version !== 1) throw damaged(`its version is ${JSON.stringify(version)}`);
    if (typeof kind === 'string' && typeof namespace === 'string' && typeof name === 'string')
      return { version, kind: kind satisfies OfflineKind, namespace, name, savedAtMs: Number(savedAtMs) };
    throw damaged('its header does not name an object');
  } catch (error) {
    throw damaged('it has no header', error);
  }
}

const damaged = (problem: string, cause?: unknown): KubeletError =>
  new KubeletError(problem, { code: 'data-loss', cause });
