import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * The repository's root: the nearest folder with an nx.json, from the current folder upwards. Tools run bundled, so
 * their own path does not help; npm and Nx start them inside the repository.
 */
export const repositoryRoot = findRoot(process.cwd());

function findRoot(folder: string): string {
  if (existsSync(path.join(folder, 'nx.json'))) return folder;
  const parent = path.dirname(folder);
  if (parent === folder) throw new Error(`${process.cwd()} is not inside the repository: no nx.json above it`);
  return findRoot(parent);
}
