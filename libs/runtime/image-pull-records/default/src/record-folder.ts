import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '@podwright/checkpoint';
import { isMissing, KubeletError, messageOf } from '@podwright/errors';
import { readPlainFile } from '@podwright/filesystem';
import type { Read } from './record-format.js';

/** Name, key and encoding of one kind of record. */
export interface RecordKind<V> {
  /** Name in messages: `ImagePullIntent`. */
  readonly name: string;
  readonly keyOf: (value: V) => string;
  readonly encode: (value: V) => string;
  readonly decode: (content: string) => Read<V>;
}

/** The readable values of a folder. `faults` names the files that cannot be read; they stay as they are. */
export interface RecordListing<V> {
  readonly values: readonly V[];
  readonly faults: readonly string[];
}

const prefix = 'sha256-';
const temporarySuffix = '.tmp';
/** Upstream has no bound; a record with 100 secrets under each of many names stays far below. */
const mostBytes = 4 * 1024 * 1024;

/**
 * A folder with one file per key, named after the key's hash. Writes replace a file atomically. Calls for one key must
 * not run concurrently. Source: kubernetes v1.36 pkg/kubelet/images/pullmanager/fs_pullrecords.go.
 */
export class RecordFolder<V> {
  constructor(
    private readonly folder: string,
    private readonly kind: RecordKind<V>,
  ) {}

  /**
   * Creates the folder, removes what a killed process left of a write, and rewrites values of older versions. Resolves
   * with the faults of single files.
   */
  async prepare(): Promise<readonly string[]> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const faults: string[] = [];
    for (const file of await this.files({ temporary: true })) await rm(file, { force: true });
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

  /**
   * Undefined when there is no file for the key. Rejects with `data-loss` and the file's name when it cannot be read.
   */
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
    // An administrator may have emptied the kubelet's folder.
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await writeFileAtomically(file, this.kind.encode(value), { durable: false, temporary: file + temporarySuffix });
  }

  async remove(key: string): Promise<void> {
    await rm(this.fileOf(key), { force: true });
  }

  private fileOf(key: string): string {
    return path.join(this.folder, prefix + createHash('sha256').update(key).digest('hex'));
  }

  /** Those of records, or what writes have before they end. */
  private async files({ temporary } = { temporary: false }): Promise<readonly string[]> {
    const entries = await readdir(this.folder, { withFileTypes: true });
    const own = entries.filter(
      (entry) =>
        !entry.isDirectory() && entry.name.startsWith(prefix) && entry.name.endsWith(temporarySuffix) === temporary,
    );
    return own.map(({ name }) => path.join(this.folder, name)).sort();
  }

  private async readFile(file: string): Promise<Read<V>> {
    const content = await readPlainFile(file, mostBytes, `file ${JSON.stringify(file)}`);
    try {
      return this.kind.decode(content);
    } catch (error) {
      const message = `file ${JSON.stringify(file)} holds no ${this.kind.name}: ${messageOf(error)}`;
      throw new KubeletError(message, { code: 'data-loss', cause: error });
    }
  }
}
