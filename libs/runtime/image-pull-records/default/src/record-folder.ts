import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { KubeletError, messageOf } from '@podwright/errors';
import type { Read } from './record-format.js';

/** How values of one kind are kept. */
export interface RecordKind<V> {
  /** For messages: `ImagePullIntent`. */
  readonly name: string;
  readonly keyOf: (value: V) => string;
  readonly encode: (value: V) => string;
  readonly decode: (content: string) => Read<V>;
}

/** What a folder holds; files that cannot be read are in `faults`, by name, and are left as they are. */
export interface RecordListing<V> {
  readonly values: readonly V[];
  readonly faults: readonly string[];
}

const prefix = 'sha256-';
const temporarySuffix = '.tmp';
/** Upstream has no bound; a record with 100 secrets under each of many names stays far below it. */
const mostBytes = 4 * 1024 * 1024;

/**
 * A folder with one file per key, named after the key's hash. A file is replaced whole. Not for concurrent use of one key.
 * Source: kubernetes v1.36 pkg/kubelet/images/pullmanager/fs_pullrecords.go.
 */
export class RecordFolder<V> {
  constructor(
    private readonly folder: string,
    private readonly kind: RecordKind<V>,
  ) {}

  /** Makes the folder and writes values of older versions anew. Resolves with the faults of single files. */
  async prepare(): Promise<readonly string[]> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const faults: string[] = [];
    for (const file of await this.files()) {
      try {
        const { value, current } = await this.readFile(file);
        if (!current) await this.write(value);
      } catch (error) {
        faults.push(messageOf(error));
      }
    }
    return faults;
  }

  async list(): Promise<RecordListing<V>> {
    const [values, faults]: [V[], string[]] = [[], []];
    for (const file of await this.files()) {
      try {
        values.push((await this.readFile(file)).value);
      } catch (error) {
        if (!isMissing(error)) faults.push(messageOf(error));
      }
    }
    return { values, faults };
  }

  async count(): Promise<number> {
    return (await this.files()).length;
  }

  /** undefined: there is none. Rejects with `data-loss` naming the file. */
  async get(key: string): Promise<V | undefined> {
    try {
      const { value } = await this.readFile(this.fileOf(key));
      return this.kind.keyOf(value) === key ? value : undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async write(value: V): Promise<void> {
    const file = this.fileOf(this.kind.keyOf(value));
    const temporary = file + temporarySuffix;
    // Somebody may have emptied the kubelet's folder.
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    try {
      await writeFile(temporary, this.kind.encode(value), { mode: 0o600 });
      await rename(temporary, file);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async remove(key: string): Promise<void> {
    await rm(this.fileOf(key), { force: true });
  }

  private fileOf(key: string): string {
    return path.join(this.folder, prefix + createHash('sha256').update(key).digest('hex'));
  }

  private async files(): Promise<readonly string[]> {
    const entries = await readdir(this.folder, { withFileTypes: true });
    const own = entries.filter(
      (entry) => !entry.isDirectory() && entry.name.startsWith(prefix) && !entry.name.endsWith(temporarySuffix),
    );
    return own.map(({ name }) => path.join(this.folder, name)).sort();
  }

  private async readFile(file: string): Promise<Read<V>> {
    const content = await readPlainFile(file);
    try {
      return this.kind.decode(content);
    } catch (error) {
      const message = `file ${JSON.stringify(file)} holds no ${this.kind.name}: ${messageOf(error)}`;
      throw new KubeletError(message, { code: 'data-loss', cause: error });
    }
  }
}

async function readPlainFile(file: string): Promise<string> {
  const { O_RDONLY, O_NONBLOCK } = (await import('node:fs')).constants;
  const handle = await open(file, O_RDONLY | O_NONBLOCK);
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) throw new Error(`${JSON.stringify(file)} is no regular file`);
    if (facts.size > mostBytes) throw new Error(`file ${JSON.stringify(file)} is larger than ${mostBytes} bytes`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

const isMissing = (error: unknown): boolean => (error as { code?: unknown }).code === 'ENOENT';
