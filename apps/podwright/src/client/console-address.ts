import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '@podwright/errors';
import { CommandError } from '../command-error.js';

/** Where the programs keep their state unless they are told otherwise. */
export const rootFolders: readonly string[] = ['/var/lib/podwright', '/var/lib/kubelet'];

/**
 * The address of the console of the kubelet in `rootDir`, with its token; undefined when none is there. Throws when it may
 * not be read.
 */
export async function consoleAddress(rootDir: string): Promise<string | undefined> {
  const token = await contentOf(rootDir, 'token');
  const address = await contentOf(rootDir, 'address');
  // The kubelet writes the address when it listens.
  return token === undefined || address === undefined ? undefined : `http://${address}/console/?token=${token}`;
}

async function contentOf(rootDir: string, name: string): Promise<string | undefined> {
  const file = path.join(rootDir, 'console', name);
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'EACCES' || code === 'EPERM') {
      throw new CommandError(`${file} is for root alone: run the command as root`);
    }
    throw new CommandError(`${file}: ${messageOf(error)}`);
  }
}
