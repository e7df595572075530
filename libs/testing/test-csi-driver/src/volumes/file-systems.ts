import { status } from '@grpc/grpc-js';
import { StatusError } from '@podwright/grpc';
import type { NodeTools } from './node-tools.js';

interface FileSystemTools {
  format(device: string): readonly [string, ...string[]];
  /** For a mounted file system. */
  grow(device: string, mountPoint: string): readonly [string, ...string[]];
}

const fileSystems: Readonly<Record<string, FileSystemTools>> = {
  ext4: {
    format: (device) => ['mkfs.ext4', '-q', '-F', '-m', '0', device],
    grow: (device) => ['resize2fs', device],
  },
  xfs: {
    format: (device) => ['mkfs.xfs', '-q', '-f', device],
    grow: (_device, mountPoint) => ['xfs_growfs', mountPoint],
  },
};

/** Makes a file system on an empty device. A device with another file system is never formatted. */
export async function formatIfEmpty(tools: NodeTools, device: string, fsType: string): Promise<void> {
  const wanted = fileSystems[fsType];
  if (wanted === undefined) throw new StatusError(status.INVALID_ARGUMENT, `file system ${fsType} is not supported`);
  const found = await fileSystemOn(tools, device);
  if (found === fsType) return;
  if (found !== '') {
    throw new StatusError(status.FAILED_PRECONDITION, `the volume has the file system ${found}, not ${fsType}`);
  }
  await tools.run(...wanted.format(device));
}

/** Makes a mounted file system as large as its device. */
export async function growFileSystem(
  tools: NodeTools,
  { device, fsType, mountPoint }: { readonly device: string; readonly fsType: string; readonly mountPoint: string },
): Promise<void> {
  const known = fileSystems[fsType];
  if (known === undefined) throw new StatusError(status.INTERNAL, `file system ${fsType} cannot grow`);
  await tools.run(...known.grow(device, mountPoint));
}

async function fileSystemOn(tools: NodeTools, device: string): Promise<string> {
  const args = ['--probe', '--match-tag', 'TYPE', '--output', 'value', device];
  const { end, problem, stdout, stderr } = await tools.attempt('blkid', args);
  if (problem === undefined) return stdout.trim();
  // blkid's answer for a device without any signature.
  if (end.how === 'exited' && end.code === 2) return '';
  throw new Error(`blkid ${args.join(' ')}: ${problem}: ${stderr.trim()}`);
}
