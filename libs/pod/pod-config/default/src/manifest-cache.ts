import { messageOf } from '@podwright/errors';
import type { Journal } from '@podwright/journal-interface';
import type { Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { digestOf, openManifest, stampKeyAt } from './manifest-file.js';
import type { ManifestFile } from './manifest-file.js';
import type { StaticPodReader } from './static-pod-reader.js';

/** The content of a file: a pod, or why there is none. `absent`: the file is gone or not a regular file. */
export type ManifestContent =
  | { readonly kind: 'pod'; readonly pod: Pod }
  | { readonly kind: 'fault'; readonly message: string }
  | { readonly kind: 'absent' };

export interface ManifestCacheDeps {
  readonly reader: StaticPodReader;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly journal?: Journal | undefined;
}

interface Entry {
  readonly key: string;
  /** The file changed so shortly before the read that another change may have the same times. */
  readonly racy: boolean;
  readonly digest: string;
  readonly content: ManifestContent;
}

// The kernel's time stamps have the resolution of its tick, at worst 10 ms.
const stampGrainMs = 100;

/**
 * Reads and parses manifests and caches the results: does not open a file with an unchanged stamp, and does not parse
 * unchanged content.
 */
export class ManifestCache {
  private readonly entries = new Map<string, Entry>();
  private readonly reported = new Map<string, string>();

  constructor(private readonly deps: ManifestCacheDeps) {}

  async read(path: string): Promise<ManifestContent> {
    const known = this.entries.get(path);
    if (known !== undefined && !known.racy && known.key === (await stampKeyAt(path))) return known.content;
    let file: ManifestFile;
    try {
      file = await openManifest(path);
    } catch (error) {
      return this.fault(path, `${path}: ${messageOf(error)}`);
    }
    if (file.kind !== 'file') {
      this.forget(path);
      if (file.kind === 'other') this.report(path, `${path}: is ${file.what}, not a regular file`);
      return { kind: 'absent' };
    }
    try {
      return await this.readOpened(path, file);
    } catch (error) {
      return this.fault(path, `${path}: ${messageOf(error)}`);
    } finally {
      await file.close();
    }
  }

  /** Whether the file is still as the last read found it. */
  async isUnchanged(path: string): Promise<boolean> {
    const known = this.entries.get(path);
    return known !== undefined && known.key === (await stampKeyAt(path));
  }

  /** Forgets files that are not in `paths`. */
  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of [...this.entries.keys(), ...this.reported.keys()]) {
      if (paths.has(path)) continue;
      this.forget(path);
      this.settled(path, 'removed');
    }
  }

  private async readOpened(path: string, file: ManifestFile & { kind: 'file' }): Promise<ManifestContent> {
    const { stamp } = file;
    const known = this.entries.get(path);
    const bytes = await file.read();
    const digest = digestOf(bytes);
    const racy = Math.abs(this.deps.clock.now() - stamp.changedAtMs) < stampGrainMs;
    const content = known !== undefined && known.digest === digest ? known.content : this.parse(path, bytes);
    this.entries.set(path, { key: stamp.key, racy, digest, content });
    return content;
  }

  private parse(path: string, bytes: Buffer): ManifestContent {
    try {
      const pod = this.deps.reader.readFile(bytes, path);
      this.settled(path, 'accepted');
      return { kind: 'pod', pod };
    } catch (error) {
      const message = messageOf(error);
      this.report(path, message);
      return { kind: 'fault', message };
    }
  }

  private fault(path: string, message: string): ManifestContent {
    this.forget(path);
    this.report(path, message);
    return { kind: 'fault', message };
  }

  /** Logs once per file and message, however often the file is read. */
  private report(path: string, message: string): void {
    if (this.reported.get(path) === message) return;
    this.reported.set(path, message);
    this.deps.logger.error(`static pod manifest is not used: ${message}`);
    this.deps.journal?.report({ kind: 'manifest.refused', source: 'file', origin: path, error: message });
  }

  private settled(path: string, outcome: 'accepted' | 'removed'): void {
    if (!this.reported.delete(path)) return;
    this.deps.journal?.report({ kind: 'manifest.settled', source: 'file', origin: path, outcome });
  }

  private forget(path: string): void {
    this.entries.delete(path);
  }
}
