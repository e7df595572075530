import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from '../commands.js';

/**
 * Tells the dpkg of a system that these packages, which were only unpacked into `root`, are installed. Otherwise it would
 * refuse every package that depends on one of them. It does not learn their files.
 */
export async function recordPackages(debs: readonly string[], root: string): Promise<void> {
  const database = path.join(root, 'var/lib/dpkg');
  for (const folder of ['info', 'triggers', 'updates']) await mkdir(path.join(database, folder), { recursive: true });
  const entries: string[] = [];
  for (const deb of debs) {
    const control = await runCommand('dpkg-deb', ['--field', deb]);
    entries.push(statusEntry(control));
    await writeFile(path.join(database, 'info', `${listName(control)}.list`), '/.\n');
  }
  await writeFile(path.join(database, 'info/format'), '1\n');
  await writeFile(path.join(database, 'available'), '');
  await writeFile(path.join(database, 'status'), entries.join('\n'));
}

/** The entry of an installed package in dpkg's file `status`. */
export function statusEntry(control: string): string {
  return `${control.trim().replace('\n', '\nStatus: install ok installed\n')}\n`;
}

/** dpkg names the lists of packages that several architectures may have side by side after both. */
export function listName(control: string): string {
  const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(control)?.[1] ?? '';
  return field('Multi-Arch') === 'same' ? `${field('Package')}:${field('Architecture')}` : field('Package');
}
