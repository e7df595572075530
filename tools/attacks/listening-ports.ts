import { readdir, readFile, readlink } from 'node:fs/promises';
import { isMissing } from '@podwright/errors';

const listening = '0A';

/** The TCP ports that a process listens on. Reads the kernel's files, so that no port can hide. */
export async function listeningPorts(
  pid: number,
): Promise<readonly { readonly address: string; readonly port: number }[]> {
  const sockets = await socketsOf(pid);
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((table) => readFile(`/proc/${pid}/net/${table}`, 'utf8').catch(() => '')),
  );
  return tables
    .flatMap((table) => table.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode = '']) => state === listening && sockets.has(inode))
    .map(([, local = '']) => {
      const [address = '', port = ''] = local.split(':');
      return { address: addressOf(address), port: Number.parseInt(port, 16) };
    });
}

async function socketsOf(pid: number): Promise<ReadonlySet<string>> {
  const inodes = new Set<string>();
  for (const fd of await readdir(`/proc/${pid}/fd`)) {
    const link = await readlink(`/proc/${pid}/fd/${fd}`).catch((error: unknown) => {
      if (isMissing(error)) return '';
      throw error;
    });
    const inode = /^socket:\[(\d+)\]$/.exec(link)?.[1];
    if (inode !== undefined) inodes.add(inode);
  }
  return inodes;
}

/** The kernel writes each 32 bits in the machine's order, which is little-endian wherever a lab runs. */
export function addressOf(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => [...Buffer.from(word, 'hex').reverse()]);
  if (bytes.length === 4) return bytes.join('.');
  const mapped = bytes.slice(0, 12).join() === '0,0,0,0,0,0,0,0,0,0,255,255';
  if (mapped) return bytes.slice(12).join('.');
  const groups = bytes.flatMap((byte, index) => (index % 2 === 0 ? [byte * 256 + (bytes[index + 1] ?? 0)] : []));
  if (groups.every((group) => group === 0)) return '::';
  return groups.every((group, index) => group === (index === 7 ? 1 : 0))
    ? '::1'
    : groups.map((g) => g.toString(16)).join(':');
}
