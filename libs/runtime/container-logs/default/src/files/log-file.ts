import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { readError } from './log-error.js';
import type { LogFolder } from './log-folder.js';

const blockBytes = 64 * 1024;

/** One file of a log, read from its start or from where it was put. */
export interface LogFile {
  readonly path: string;
  /** What it is, whatever it is called by now. */
  readonly identity: string;
  /** The next block, which is overwritten by the next read; undefined at the end as it is now. Rejects when it cannot be read. */
  read(): Promise<Uint8Array | undefined>;
  /** May come twice. */
  close(): Promise<void>;
}

export interface Identifiable {
  readonly dev: number;
  readonly ino: number;
}

export function identityOf({ dev, ino }: Identifiable): string {
  return `${dev}:${ino}`;
}

/** Opens a file of a folder, unpacking one that ends in `.gz`. Rejects as {@link LogFolder.openFile}. */
export async function openLogFile(folder: LogFolder, name: string): Promise<LogFile> {
  const handle = await folder.openFile(name);
  const path = `${folder.path}/${name}`;
  const identity = identityOf(await handle.stat());
  return name.endsWith('.gz') ? new PackedLogFile(path, identity, handle) : new PlainLogFile(path, identity, handle);
}

/** A file that may still be written to. */
export class PlainLogFile implements LogFile {
  /** Of the next read, in bytes. */
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
      // Cut while we read: rotated by copying, or emptied by an administrator.
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
    // An error ends the unpacked side too, where the reader meets it.
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
