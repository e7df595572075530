import { writeFileAtomically } from '@podwright/checkpoint';
import { isMissing, KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { Random } from '@podwright/time';
import { chmod, readFile, stat } from 'node:fs/promises';
import { keyBytes } from './sealed-file.js';

const privateMode = 0o600;

/**
 * Reads the key. Creates it, 32 random bytes that only their owner may read, unless `isNeeded`: saved objects exist
 * that another key has sealed, and a new one would make them unreadable for good. Rejects with `failed-precondition`
 * then, and for a file that is no key.
 */
export async function readOrCreateKey(
  file: string,
  isNeeded: boolean,
  { logger, random }: { readonly logger: Logger; readonly random: Random },
): Promise<Buffer> {
  const key = await readFile(file).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    return undefined;
  });
  if (key === undefined) {
    if (isNeeded) throw unusable(`${file} is missing`);
    return createKey(file, random);
  }
  if (key.length !== keyBytes) throw unusable(`${file} has ${key.length} bytes instead of ${keyBytes}`);
  await keepPrivate(file, logger);
  return key;
}

async function createKey(file: string, random: Random): Promise<Buffer> {
  const key = Buffer.from(random.hex(keyBytes), 'hex');
  await writeFileAtomically(file, key, { mode: privateMode });
  return key;
}

async function keepPrivate(file: string, logger: Logger): Promise<void> {
  const { mode } = await stat(file);
  if ((mode & 0o077) === 0) return;
  const found = (mode & 0o777).toString(8).padStart(4, '0');
  logger.warn('Others could read the key of the saved objects; only its owner may from now on', { file, mode: found });
  await chmod(file, privateMode);
}

const unusable = (problem: string): KubeletError =>
  new KubeletError(`${problem}: restore the key, or remove it and the saved objects`, { code: 'failed-precondition' });
