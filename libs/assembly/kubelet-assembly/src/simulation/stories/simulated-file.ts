import fs from 'node:fs';
import { halfOf } from './half-of.js';

type Act = (operation: string, work: () => unknown, half?: () => void) => Promise<unknown>;
type Data = string | NodeJS.ArrayBufferView;
interface ReadOptions {
  readonly buffer?: NodeJS.ArrayBufferView;
  readonly offset?: number;
  readonly length?: number;
  readonly position?: number | null;
}

/** A `FileHandle` whose operations are done at once. */
export class SimulatedFile {
  private closed = false;

  constructor(
    readonly fd: number,
    private readonly act: Act,
  ) {}

  read(first?: NodeJS.ArrayBufferView | ReadOptions, ...rest: (number | null | ReadOptions)[]): Promise<unknown> {
    return this.act('read', () => {
      const buffer = ArrayBuffer.isView(first) ? first : (first?.buffer ?? Buffer.alloc(16_384));
      const [second, length, position] = rest;
      const options: ReadOptions = ArrayBuffer.isView(first)
        ? typeof second === 'object' && second !== null
          ? second
          : { offset: second ?? 0, ...(typeof length === 'number' && { length }), position: position as number | null }
        : (first ?? {});
      const { offset = 0, length: most = buffer.byteLength - offset, position: at = null } = options;
      return { bytesRead: fs.readSync(this.fd, buffer, offset, most, at), buffer };
    });
  }

  write(data: Data, ...rest: unknown[]): Promise<unknown> {
    const write = (what: unknown): number =>
      (fs.writeSync as (...args: unknown[]) => number)(this.fd, what, ...(what === data ? rest : []));
    return this.act(
      'write',
      () => ({ bytesWritten: write(data), buffer: data }),
      () => void write(halfOf(data)),
    );
  }

  // Appends to what was read or written before, as Node's does.
  writeFile(data: Data): Promise<unknown> {
    return this.act(
      'writeFile',
      () => fs.writeFileSync(this.fd, data),
      () => fs.writeFileSync(this.fd, halfOf(data) as Data),
    );
  }

  appendFile(data: Data): Promise<unknown> {
    return this.writeFile(data);
  }

  readFile(options?: BufferEncoding | { readonly encoding?: BufferEncoding }): Promise<unknown> {
    return this.act('readFile', () => fs.readFileSync(this.fd, options));
  }

  stat(options?: { readonly bigint?: boolean }): Promise<unknown> {
    return this.act('stat', () => fs.fstatSync(this.fd, options as { readonly bigint: true }));
  }

  truncate(length = 0): Promise<unknown> {
    return this.act('truncate', () => fs.ftruncateSync(this.fd, length));
  }

  // A simulation has no power cut, so it need not wait for the disk.
  sync(): Promise<unknown> {
    return this.act('sync', () => undefined);
  }

  datasync(): Promise<unknown> {
    return this.sync();
  }

  chmod(mode: number): Promise<unknown> {
    return this.act('chmod', () => fs.fchmodSync(this.fd, mode));
  }

  chown(uid: number, gid: number): Promise<unknown> {
    return this.act('chown', () => fs.fchownSync(this.fd, uid, gid));
  }

  utimes(accessed: number, modified: number): Promise<unknown> {
    return this.act('utimes', () => fs.futimesSync(this.fd, accessed, modified));
  }

  close(): Promise<void> {
    // Also of a killed process: its descriptors are closed by the kernel.
    if (!this.closed) fs.closeSync(this.fd);
    this.closed = true;
    return Promise.resolve();
  }

  createReadStream(options: Parameters<typeof fs.createReadStream>[1] & object): fs.ReadStream {
    return fs.createReadStream('', { ...options, fd: this.fd, autoClose: false });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
