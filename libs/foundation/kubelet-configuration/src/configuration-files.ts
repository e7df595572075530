import { errnoWords } from '@podwright/errors';
import { lstat, readdir, readFile } from 'node:fs/promises';

/** The file system, as far as loading a configuration needs it. */
export interface ConfigurationFiles {
  /** Rejects when the file cannot be read. */
  readFile(path: string): Promise<Uint8Array | string>;
  /** The entries of a folder, in any order. Rejects with `ENOTDIR` for anything else, also for a link to a folder. */
  readDirectory(path: string): Promise<readonly { readonly name: string; readonly isDirectory: boolean }[]>;
}

/** Go's words about a file that cannot be read. Go opens a folder, too. */
export function readFault(path: string, error: unknown): string {
  const call = (error as NodeJS.ErrnoException).code === 'EISDIR' ? 'read' : 'open';
  return `${call} ${path}: ${errnoWords(error)}`;
}

/** The real file system. */
export const nodeConfigurationFiles: ConfigurationFiles = {
  readFile: (path) => readFile(path),
  async readDirectory(path) {
    if (!(await lstat(path)).isDirectory()) throw Object.assign(new Error(`${path} is no folder`), { code: 'ENOTDIR' });
    const entries = await readdir(path, { withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }));
  },
};
