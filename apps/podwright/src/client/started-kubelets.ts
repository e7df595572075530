import { readdir, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { connectFault } from './default-socket.js';

/** A folder of `npm start` in the folder for temporary files begins so. */
export const startFolderPrefix = 'podwright-start-';

/** Where a kubelet of `npm start` has its files. */
export interface StartedKubelet {
  readonly socket: string;
  readonly rootDir: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The kubelets that this user runs with `npm start`. Whoever may write there could have made the folders of others. */
export async function startedKubelets(env: Environment): Promise<readonly StartedKubelet[]> {
  const parent = env['TMPDIR'] ?? os.tmpdir();
  const names = await readdir(parent).catch((): readonly string[] => []);
  const found: StartedKubelet[] = [];
  for (const name of names.filter((each) => each.startsWith(startFolderPrefix)).sort()) {
    const dir = path.join(parent, name);
    const socket = path.join(dir, 'podwright.sock');
    const owner = await stat(dir).catch(() => undefined);
    if (owner?.uid !== process.getuid?.() || (await connectFault(socket)) !== undefined) continue;
    found.push({ socket, rootDir: path.join(dir, 'root') });
  }
  return found;
}
