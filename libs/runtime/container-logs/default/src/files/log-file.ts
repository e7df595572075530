import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ContainedFolder } from '@podwright/contained-path';
import { readError } from './log-error.js';

const blockBytes = 64 * 1024;

/** One file of a log. */
export interface LogFile {
  readonly path: string;
  /** Device and inode: stays the same when the file is renamed. */
  readonly identity: string;
  /**
   * The next block, valid until the next read; undefined at the current end of the file. Rejects with {@link
   * readError}.
   */
  read(): Promise<Uint8Array | undefined>;
  /** May be called twice. */
  close(): Promise<void>;
}

export interface Identifiable {
  readonly dev: number;
  readonly ino: number;
}

export function identityOf({ dev, ino }: Identifiable): string {
  return `${dev}:${ino}`;
}

/** Opens a file of a folder; unpacks a name that ends in `.gz`. Rejects as the folder's `openFile` does. */
export async function openLogFile(folder: ContainedFolder, name: string): Promise<LogFile> {
  const handle = await folder.openFile(name);
  const path = `${folder.path}/${name}`;
  const identity = identityOf(await handle.stat());
  return name.endsWith('.gz') ? new PackedLogFile(path, identity, handle) : new PlainLogFile(path, identity, handle);
}

/** An uncompressed file, which the runtime may still write to. */
export class PlainLogFile implements LogFile {
  /** Offset of the next read, in bytes. */
  position = 0;
  private readonly block = Buffer.allocUnsafe(blockBytes);

  constructor(
    readonly path: string,
    readonly identity: string,
    readonly handle: FileHandle,
  ) {}

  async read(): Promise<Uint8Array | undefined> {
    try {
      const first = await this.readBlock();
      if (first !== undefined || (await this.handle.stat()).size >= this.position) return first;
      // The file was truncated during the read: rotated by copying, or emptied by an administrator.
      this.position = 0;
      return await this.readBlock();
    } catch (error) {
      throw readError(this.path, error);
    }
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  private async readBlock(): Promise<Uint8Array | undefined> {
    const { bytesRead } = await this.handle.read(this.block, 0, blockBytes, this.position);
    this.position += bytesRead;
    return bytesRead === 0 ? undefined : this.block.subarray(0, bytesRead);
  }
}

class PackedLogFile implements LogFile {
  private readonly blocks: AsyncIterator<Uint8Array>;
  private readonly unpacked = createGunzip({ chunkSize: blockBytes });

  constructor(
    readonly path: string,
    readonly identity: string,
    private readonly handle: FileHandle,
  ) {
    const packed = handle.createReadStream({ autoClose: false });
    // An error also destroys the unpacked side, so read() rejects with it.
    pipeline(packed, this.unpacked, () => undefined);
    this.blocks = this.unpacked[Symbol.asyncIterator]();
  }

  async read(): Promise<Uint8Array | undefined> {
    try {
      const { done, value } = await this.blocks.next();
      return done === true ? undefined : value;
    } catch (error) {
      throw readError(this.path, error);
    }
  }

  async close(): Promise<void> {
    this.unpacked.destroy();
    await this.handle.close();
  }
}
