import { chmod, copyFile, mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A file to put into a package: content of a file of this machine, or text. */
export interface StagedFile {
  readonly content: { readonly from: string } | { readonly text: string };
  readonly executable?: boolean;
}

/** Puts files below `root`, by their relative names. Modes do not depend on the umask or on where a file comes from. */
export async function stageFiles(root: string, files: Readonly<Record<string, StagedFile>>): Promise<void> {
  for (const [name, { content, executable = false }] of Object.entries(files)) {
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    if ('from' in content) await copyFile(content.from, file);
    else await writeFile(file, content.text);
    await chmod(file, executable ? 0o755 : 0o644);
  }
}

/** Gives everything below `root` one time, and folders one mode. */
export async function levelFolder(root: string, secondsSince1970: number): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const folders = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name));
  for (const folder of [root, ...folders]) await chmod(folder, 0o755);
  for (const entry of entries)
    await utimes(path.join(entry.parentPath, entry.name), secondsSince1970, secondsSince1970);
  await utimes(root, secondsSince1970, secondsSince1970);
}
