import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import type { TarEntry } from './tar.js';

/** The content of a folder as a layer, with its modes; owned by root. Other files than plain ones and links are left out. */
export async function folderLayer(root: string, folder = ''): Promise<TarEntry[]> {
  const entries: TarEntry[] = [];
  for (const name of (await readdir(path.join(root, folder))).sort()) {
    const inside = path.posix.join(folder, name);
    const file = path.join(root, inside);
    const stats = await lstat(file);
    const mode = stats.mode & 0o7777;
    if (stats.isSymbolicLink()) entries.push({ path: inside, type: 'symlink', linkTarget: await readlink(file) });
    else if (stats.isFile()) entries.push({ path: inside, type: 'file', mode, content: await readFile(file) });
    else if (stats.isDirectory())
      entries.push({ path: inside, type: 'directory', mode }, ...(await folderLayer(root, inside)));
  }
  return entries;
}
