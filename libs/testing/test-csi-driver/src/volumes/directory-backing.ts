import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { status } from '@grpc/grpc-js';
import type { MountEntry } from '@podwright/filesystem';
import { StatusError } from '@podwright/grpc';
import type { NodeTools } from './node-tools.js';
import type { FileSystemRequest, VolumeBacking } from './volume-backing.js';

/** A volume that is a folder of the driver. It can be as full as the disk that the folder is on. */
export class DirectoryBacking implements VolumeBacking {
  constructor(
    private readonly tools: NodeTools,
    private readonly folder: string,
  ) {}

  async mountAt(target: string, { flags }: FileSystemRequest): Promise<void> {
    await this.tools.bind(this.folder, target, flags.includes('ro'));
  }

  device(): Promise<string> {
    return Promise.reject(new StatusError(status.INVALID_ARGUMENT, 'a directory is no block device'));
  }

  devices(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  async mountsIn(table: readonly MountEntry[]): Promise<readonly MountEntry[]> {
    const folder = await realpath(this.folder);
    const isAbove = ({ mountPoint }: MountEntry): boolean =>
      mountPoint === '/' || folder === mountPoint || folder.startsWith(`${mountPoint}/`);
    // The last one of the longest path is on top.
    const below = table
      .filter(isAbove)
      .reduce((best, mount) => (mount.mountPoint.length >= best.mountPoint.length ? mount : best));
    const root = path.join(below.root, path.relative(below.mountPoint, folder));
    return table.filter((mount) => mount.device === below.device && mount.root === root);
  }

  release(): Promise<void> {
    return Promise.resolve();
  }

  grow(): Promise<void> {
    return Promise.resolve();
  }
}
