import { readFile } from 'node:fs/promises';
import { mountOf, resolveLinks } from './mount-point.js';
import type { MountEntry } from './mount-table.js';

const inherited = new Set(['ro', 'nodev', 'noexec', 'nosuid', 'noatime', 'relatime', 'nodiratime']);
const ownHandle = /^\/proc\/(?:self|\d+)\/fd\/\d+$/;

/**
 * Mount flags that a bind mount of the source has to keep, as mount options. Found in the mount table, because Node's
 * statfs has no flags and could hang. Source: kubernetes v1.36 mount-utils/mount_linux.go getBindMountOptions.
 */
export async function bindFlags(source: string, table: readonly MountEntry[]): Promise<readonly string[]> {
  const mount = ownHandle.test(source)
    ? await mountOfHandle(source, table)
    : mountOf(await resolveLinks(source, table), table);
  if (mount === undefined) return [];
  const readOnly = mount.superOptions.includes('ro') ? ['ro'] : [];
  return [...new Set([...mount.options.filter((option) => inherited.has(option)), ...readOnly])];
}

async function mountOfHandle(path: string, table: readonly MountEntry[]): Promise<MountEntry | undefined> {
  const facts = await readFile(path.replace('/fd/', '/fdinfo/'), 'utf8');
  const id = Number(/^mnt_id:\s*(\d+)$/m.exec(facts)?.[1]);
  return table.find((entry) => entry.id === id);
}
