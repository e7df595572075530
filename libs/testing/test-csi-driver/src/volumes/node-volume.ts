import { chmod, chown, mkdir, realpath, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { status } from '@grpc/grpc-js';
import { isMissing } from '@podwright/errors';
import { mountsBelow, readMountTable, type MountEntry } from '@podwright/filesystem';
import { StatusError } from '@podwright/grpc';
import type { VolumeRecord } from './volume-folder.js';
import type { FileSystemRequest, VolumeBacking } from './volume-backing.js';
import type { NodeTools } from './node-tools.js';

export interface FileSystemAccess extends FileSystemRequest {
  /** Owning group of the volume's files; empty: unchanged. */
  readonly mountGroup: string;
}

/** How a volume is used: as a block device, or as a file system. */
export type VolumeAccess = 'block' | FileSystemAccess;

export interface PublishRequest {
  /** Empty: the volume was not staged. */
  readonly stagingPath: string;
  readonly targetPath: string;
  readonly access: VolumeAccess;
  readonly readOnly: boolean;
  /** Refuses a second target. */
  readonly exclusive: boolean;
}

/** Name of a block device in its staging folder. */
const stagedDevice = 'device';

/**
 * One volume on the node: what the mount table shows is its state, so that a driver that starts again continues where
 * the killed one stopped. Every operation may come again, after half of it was done too.
 */
export class NodeVolume {
  constructor(
    private readonly tools: NodeTools,
    private readonly record: VolumeRecord,
    private readonly backing: VolumeBacking,
  ) {}

  async stage(stagingPath: string, access: VolumeAccess): Promise<void> {
    if (access === 'block') return this.bindDevice(path.join(stagingPath, stagedDevice));
    await this.mountOnce(stagingPath, () => this.backing.mountAt(stagingPath, access));
    await giveToGroup(stagingPath, access.mountGroup);
  }

  async unstage(stagingPath: string): Promise<void> {
    const device = path.join(stagingPath, stagedDevice);
    const others = (await this.mounts()).filter(
      ({ mountPoint }) => mountPoint !== stagingPath && mountPoint !== device,
    );
    if (others.length > 0) {
      const [{ mountPoint }] = others as [MountEntry];
      throw new StatusError(status.FAILED_PRECONDITION, `volume ${this.record.id} is still published at ${mountPoint}`);
    }
    await this.remove(device);
    await this.unmountAll(stagingPath);
    await this.backing.release();
  }

  async publish({ stagingPath, targetPath, access, readOnly, exclusive }: PublishRequest): Promise<void> {
    if (exclusive) await this.refuseSecondTarget(stagingPath, targetPath);
    if (access === 'block') return this.bindDevice(targetPath);
    if (stagingPath !== '' && !(await this.isMountedAt(stagingPath))) {
      throw new StatusError(status.FAILED_PRECONDITION, `volume ${this.record.id} is not staged at ${stagingPath}`);
    }
    await mkdir(targetPath, { recursive: true, mode: 0o750 });
    const flags = [...access.flags, ...(readOnly && !access.flags.includes('ro') ? ['ro'] : [])];
    await this.mountOnce(targetPath, () =>
      stagingPath === ''
        ? this.backing.mountAt(targetPath, { fsType: access.fsType, flags })
        : this.tools.bind(stagingPath, targetPath, readOnly),
    );
    if (!readOnly) await giveToGroup(targetPath, access.mountGroup);
  }

  async unpublish(targetPath: string): Promise<void> {
    await this.remove(targetPath);
    await this.backing.release();
  }

  /** Grows the device, and the file system when it is mounted. */
  async grow(): Promise<void> {
    await this.backing.grow((await this.mounts()).at(0));
  }

  async isMountedAt(place: string): Promise<boolean> {
    const resolved = await resolvedPath(place);
    return (await this.mounts()).some(({ mountPoint }) => mountPoint === resolved);
  }

  async mounts(): Promise<readonly MountEntry[]> {
    return this.backing.mountsIn(await readMountTable());
  }

  devices(): Promise<readonly string[]> {
    return this.backing.devices();
  }

  release(): Promise<void> {
    return this.backing.release();
  }

  private async bindDevice(target: string): Promise<void> {
    const device = await this.backing.device();
    await mkdir(path.dirname(target), { recursive: true, mode: 0o750 });
    await writeFile(target, '', { flag: 'a', mode: 0o660 });
    await this.mountOnce(target, () => this.tools.bind(device, target, false));
  }

  private async mountOnce(target: string, mount: () => Promise<void>): Promise<void> {
    if (await this.isMountedAt(target)) return;
    const resolved = await resolvedPath(target);
    if ((await readMountTable()).some(({ mountPoint }) => mountPoint === resolved)) {
      throw new StatusError(status.INTERNAL, `something else is mounted at ${target}`);
    }
    await mount();
  }

  private async refuseSecondTarget(stagingPath: string, targetPath: string): Promise<void> {
    const allowed = [stagingPath, path.join(stagingPath, stagedDevice), targetPath];
    const other = (await this.mounts()).find(({ mountPoint }) => !allowed.includes(mountPoint));
    if (other === undefined) return;
    const message = `volume ${this.record.id} is published at ${other.mountPoint} for a single writer`;
    throw new StatusError(status.FAILED_PRECONDITION, message);
  }

  /** Unmounts the path and removes the mount point: a file, or an empty folder. */
  private async remove(place: string): Promise<void> {
    await this.unmountAll(place);
    try {
      const isFolder = (await stat(place)).isDirectory();
      // Never recursive: what is in the folder may be somebody's data.
      await (isFolder ? rmdir(place) : rm(place, { force: true }));
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  /** A place may be mounted more than once. */
  private async unmountAll(place: string): Promise<void> {
    const resolved = await resolvedPath(place);
    const mounts = mountsBelow(await readMountTable(), resolved).filter(({ mountPoint }) => mountPoint === resolved);
    for (const { mountPoint } of mounts) await this.tools.unmount(mountPoint);
  }
}

// The mount table has no links.
async function resolvedPath(place: string): Promise<string> {
  try {
    return path.join(await realpath(path.dirname(place)), path.basename(place));
  } catch (error) {
    if (isMissing(error)) return place;
    throw error;
  }
}

async function giveToGroup(folder: string, mountGroup: string): Promise<void> {
  if (mountGroup === '') return;
  const { uid, mode } = await stat(folder);
  await chown(folder, uid, Number(mountGroup));
  // Group may write, and new files belong to the group.
  await chmod(folder, (mode & 0o7777) | 0o2070);
}
