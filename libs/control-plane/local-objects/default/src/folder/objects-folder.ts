import { isMissing, messageOf } from '@podwright/errors';
import { DirectoryWatch, readPlainFile, type WatchDirectory } from '@podwright/filesystem';
import type { Logger } from '@podwright/logging';
import { maxManifestBytes } from '@podwright/pod-manifest';
import type { Clock, Timer } from '@podwright/time';
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readManifestObjects, type FolderObject } from './manifest-objects.js';

export interface ObjectsFolderDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default: inotify. */
  readonly watchDirectory?: WatchDirectory;
}

export interface ObjectsFolderOptions {
  readonly path: string;
  readonly checkFrequencyMs: number;
  /** Gets all objects when they have changed. What it rejects with is logged, and it is called again later. */
  readonly deliver: (objects: readonly FolderObject[]) => Promise<void>;
}

interface ReadFile {
  readonly digest: string;
  /** Those of the last good content. */
  readonly objects: readonly FolderObject[];
}

/** The key of problems that no file has. */
const wholePass = '';

// As the folder of static pods.
const settle = { quietMs: 15, mostMs: 100 };
const retry = { firstMs: 1000, longestMs: 20_000 };

/**
 * Reads the manifests of a folder, when something changes in it and once per period. Names that begin with a dot are
 * left out, links are followed. A file that becomes bad keeps the objects that it had: those who use them go on.
 */
export class ObjectsFolder {
  private readonly files = new Map<string, ReadFile>();
  private readonly problems = new Map<string, string>();
  private readonly watch: DirectoryWatch;
  private passes: Promise<void> = Promise.resolve();
  private requested = false;
  private delivered = false;
  private stopped = false;
  private periodic: Timer | undefined;

  constructor(
    private readonly deps: ObjectsFolderDeps,
    private readonly options: ObjectsFolderOptions,
  ) {
    const { path: directory } = options;
    this.watch = new DirectoryWatch(deps, {
      ...{ directory, settle, retry },
      onChange: () => this.request(),
      onLost: (error, retryMs) =>
        deps.logger.debug(2, 'The folder of local objects cannot be watched, retrying later', {
          directory,
          retryMs,
          error,
        }),
    });
  }

  /** Resolves after the first pass, also when nothing can be read. */
  async open(): Promise<void> {
    this.request();
    await this.passes;
  }

  async close(): Promise<void> {
    this.stopped = true;
    this.periodic?.cancel();
    this.watch.close();
    await this.passes;
  }

  /** Delivers all objects once more, soon. */
  again(): void {
    this.delivered = false;
    this.request();
  }

  private request(): void {
    if (this.requested || this.stopped) return;
    this.requested = true;
    this.passes = this.passes.then(async () => {
      this.requested = false;
      await this.pass();
    });
  }

  private async pass(): Promise<void> {
    if (this.stopped) return;
    const { checkFrequencyMs, deliver } = this.options;
    this.periodic?.cancel();
    try {
      await this.watch.renew();
      await this.readAll();
      if (!this.delivered) await deliver([...this.files.values()].flatMap(({ objects }) => objects));
      this.delivered = true;
      this.problems.delete(wholePass);
    } catch (error) {
      this.report(wholePass, `The folder of local objects is not read: ${messageOf(error)}`);
    }
    if (!this.stopped) this.periodic = this.deps.clock.setTimer(checkFrequencyMs, () => this.request());
  }

  private async readAll(): Promise<void> {
    const { path: directory } = this.options;
    const names = (await this.namesIn(directory)).filter((name) => !name.startsWith('.')).sort();
    for (const name of this.files.keys()) if (!names.includes(name)) this.forget(name);
    for (const name of this.problems.keys())
      if (name !== wholePass && name !== directory && !names.includes(name)) this.problems.delete(name);
    for (const name of names) await this.readOne(name, path.join(directory, name));
  }

  private async namesIn(directory: string): Promise<readonly string[]> {
    try {
      const names = await readdir(directory);
      this.problems.delete(directory);
      return names;
    } catch (error) {
      if (!isMissing(error)) throw error;
      this.report(directory, `The folder of local objects does not exist: ${directory}`);
      return [];
    }
  }

  private async readOne(name: string, file: string): Promise<void> {
    const before = this.files.get(name);
    try {
      const text = await readPlainFile(file, maxManifestBytes);
      const digest = createHash('sha256').update(text).digest('hex');
      if (before?.digest === digest) return;
      this.files.set(name, { digest, objects: before?.objects ?? [] });
      const objects = readManifestObjects(text, file);
      this.files.set(name, { digest, objects });
      this.delivered = false;
      this.problems.delete(name);
    } catch (error) {
      if (isMissing(error)) this.forget(name);
      this.report(name, `A manifest of local objects is not used: ${messageOf(error)}`);
    }
  }

  private forget(name: string): void {
    this.files.delete(name);
    this.delivered = false;
  }

  /** Logs once per file and message, however often the file is read. */
  private report(name: string, message: string): void {
    if (this.problems.get(name) === message) return;
    this.problems.set(name, message);
    this.deps.logger.error(message);
  }
}
