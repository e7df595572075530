import type { MountEntry } from '@podwright/filesystem';

export interface FileSystemRequest {
  /** Empty: the driver's default. */
  readonly fsType: string;
  readonly flags: readonly string[];
}

/** How one kind of volume comes to the node. All operations are idempotent. */
export interface VolumeBacking {
  /** Mounts the volume's file system at an existing folder. */
  mountAt(target: string, request: FileSystemRequest): Promise<void>;
  /** The volume as a block device; rejects when it is none. */
  device(): Promise<string>;
  /** The mounts that show the volume, of those in the table. */
  mountsIn(table: readonly MountEntry[]): Promise<readonly MountEntry[]>;
  /** Loop devices that it occupies. */
  devices(): Promise<readonly string[]>;
  /** Gives back the device when the volume is mounted nowhere. */
  release(): Promise<void>;
  /** Passes the new size of the backing on; `mount` is a file system of the volume that must grow too. */
  grow(mount: MountEntry | undefined): Promise<void>;
}
