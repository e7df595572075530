import { mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { status } from '@grpc/grpc-js';
import { isMissing } from '@podwright/errors';
import { StatusError } from '@podwright/grpc';

/** `disk`: an image with a file system or raw blocks, behind a loop device. `directory`: a folder to bind. */
export type VolumeKind = 'disk' | 'directory';

/** What a driver knows of a volume; it is in a file beside the volume's data. */
export interface VolumeRecord {
  readonly id: string;
  readonly kind: VolumeKind;
  readonly capacityBytes: number;
  /** Made for one pod, and removed when that pod's volume is unpublished. */
  readonly ephemeral: boolean;
}

const mostIdBytes = 128;

/** All volumes of a driver: a folder per volume, below `<dir>/volumes`. */
export class VolumeFolder {
  private readonly dir: string;

  constructor(dir: string) {
    this.dir = path.join(dir, 'volumes');
  }

  /** The image of a disk. */
  imageOf(id: string): string {
    return path.join(this.folderOf(id), 'disk.img');
  }

  /** The folder of a directory. */
  directoryOf(id: string): string {
    return path.join(this.folderOf(id), 'data');
  }

  async find(id: string): Promise<VolumeRecord | undefined> {
    try {
      return JSON.parse(await readFile(this.recordOf(id), 'utf8')) as VolumeRecord;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async list(): Promise<readonly VolumeRecord[]> {
    await mkdir(this.dir, { recursive: true });
    const names = await readdir(this.dir);
    const records = await Promise.all(names.sort().map((name) => this.find(decodeURIComponent(name.slice(1)))));
    // One without a record was being made when the driver died.
    return records.filter((record) => record !== undefined);
  }

  /** Makes the volume's data, or makes it larger, and writes the record last. */
  async save(record: VolumeRecord): Promise<void> {
    const { id, kind, capacityBytes } = record;
    await mkdir(kind === 'directory' ? this.directoryOf(id) : this.folderOf(id), { recursive: true });
    if (kind === 'disk') {
      await writeFile(this.imageOf(id), '', { flag: 'a' });
      await truncate(this.imageOf(id), capacityBytes);
    }
    const next = `${this.recordOf(id)}.next`;
    await writeFile(next, JSON.stringify(record));
    await rename(next, this.recordOf(id));
  }

  async remove(id: string): Promise<void> {
    await rm(this.folderOf(id), { recursive: true, force: true });
  }

  private recordOf(id: string): string {
    return path.join(this.folderOf(id), 'volume.json');
  }

  private folderOf(id: string): string {
    if (id === '' || Buffer.byteLength(id) > mostIdBytes) {
      throw new StatusError(status.INVALID_ARGUMENT, `a volume id has 1 to ${mostIdBytes} bytes`);
    }
    // With a letter before it, so that no id is `.` or `..`.
    const name = `v${encodeURIComponent(id)}`;
    if (name.length > 255)
      throw new StatusError(status.INVALID_ARGUMENT, 'the volume id has too many special characters');
    return path.join(this.dir, name);
  }
}
