import { CLOCK, LOGGER, RANDOM, needs, type Needs } from '@podwright/assembly-interface';
import { Mutex } from '@podwright/concurrency';
import { KubeletError } from '@podwright/errors';
import { planTransaction } from '@podwright/local-objects-interface';
import type {
  LocalCommit,
  LocalObjectChange,
  LocalObjectKind,
  LocalObjectList,
  LocalObjectOf,
  LocalObjects,
  LocalTransaction,
} from '@podwright/local-objects-interface';
import { formatRfc3339 } from '@podwright/time';
import path from 'node:path';
import { ObjectDirectory } from './disk/object-directory.js';
import { nodeDisk, type ObjectDisk } from './disk/object-disk.js';
import { TransactionLog } from './disk/transaction-log.js';
import { VersionFile } from './disk/version-file.js';
import type { FileLocalObjectsConfig } from './file-local-objects-config.js';
import { ObjectsFolder } from './folder/objects-folder.js';
import { FolderObjects } from './folder/folder-objects.js';
import type { FolderObject } from './folder/manifest-objects.js';
import { newUid } from '@podwright/api-machinery';
import { ObjectState } from './object-state.js';
import { encodeChange, fileChanges } from './stored-changes.js';

export const localObjectsNeeds = needs({ clock: CLOCK, random: RANDOM, logger: LOGGER });

/**
 * {@link LocalObjects} with one file per object below the state directory, and read-only ones from a folder of
 * manifests. All of them are in memory, too.
 */
export class FileLocalObjects implements LocalObjects {
  private readonly commits = new Mutex();
  private readonly listeners = new Set<(change: LocalObjectChange) => void>();
  private readonly directory: string;
  private readonly versions: VersionFile;
  private readonly log: TransactionLog;
  private readonly folder: ObjectsFolder | undefined;
  private readonly manifests: FolderObjects;
  private state = new ObjectState(0);
  private running = false;

  constructor(
    private readonly deps: Needs<typeof localObjectsNeeds>,
    private readonly config: FileLocalObjectsConfig,
    private readonly disk: ObjectDisk = nodeDisk,
  ) {
    const { clock, logger } = deps;
    this.directory = path.join(config.rootDir, 'local-objects');
    this.versions = new VersionFile(disk, this.directory);
    this.log = new TransactionLog({ disk, versions: this.versions, logger }, this.directory);
    this.manifests = new FolderObjects(logger);
    const { objectsDir, checkFrequencyMs } = config;
    if (objectsDir !== '') {
      const deliver = (objects: readonly FolderObject[]): Promise<void> =>
        this.commits.run(() => this.takeManifests(objects));
      this.folder = new ObjectsFolder({ clock, logger }, { path: objectsDir, checkFrequencyMs, deliver });
    }
  }

  async start(): Promise<void> {
    const { logger } = this.deps;
    const { names, objects } = await new ObjectDirectory(this.disk, logger, this.directory).read();
    const highest = objects.reduce((most, { object }) => Math.max(most, Number(object.metadata?.resourceVersion)), 0);
    this.state = new ObjectState(await this.versions.read(names, highest, logger));
    for (const { kind, object, bytes } of objects) this.state.load(kind, object, bytes);
    this.running = true;
    await this.folder?.open();
  }

  async stop(): Promise<void> {
    this.running = false;
    await this.folder?.close();
    await this.commits.run(() => undefined);
  }

  get<K extends LocalObjectKind>(kind: K, namespace: string, name: string): LocalObjectOf<K> | undefined {
    return this.state.get(kind, namespace, name);
  }

  list<K extends LocalObjectKind>(kind: K): LocalObjectList<K> {
    return this.state.list(kind);
  }

  originOf(kind: LocalObjectKind, namespace: string, name: string): string | undefined {
    return this.manifests.originOf(kind, namespace, name);
  }

  async commit(transaction: LocalTransaction | (() => LocalTransaction)): Promise<LocalCommit> {
    if (!this.running) throw new KubeletError('the store of local objects is not running', { code: 'unavailable' });
    return this.commits.run(async () => {
      const operations = typeof transaction === 'function' ? transaction() : transaction;
      const commit = this.plan(operations);
      this.manifests.refuse(operations);
      await this.carryOut(commit, fileChanges);
      if (this.manifests.isHiding(commit.changes)) this.folder?.again();
      return commit;
    });
  }

  watch(listener: (change: LocalObjectChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  since<K extends LocalObjectKind>(kind: K, resourceVersion: string): readonly LocalObjectChange<K>[] | undefined {
    return this.state.since(kind, resourceVersion);
  }

  private plan(transaction: LocalTransaction): LocalCommit {
    const { clock, random } = this.deps;
    return planTransaction(transaction, {
      get: (kind, namespace, name) => this.get(kind, namespace, name),
      resourceVersion: String(this.state.version),
      now: formatRfc3339(clock.now()),
      newUid: () => newUid(random),
    });
  }

  private async takeManifests(objects: readonly FolderObject[]): Promise<void> {
    const get = this.get.bind(this);
    const { transaction, accept } = this.manifests.take(objects, get);
    // They are on disk already, as manifests.
    await this.carryOut(this.plan(transaction), () => [], accept);
  }

  private async carryOut(
    { changes, resourceVersion }: LocalCommit,
    files: typeof fileChanges,
    accept?: () => void,
  ): Promise<void> {
    if (changes.length > 0) {
      const encoded = changes.map(encodeChange);
      this.state.requireSpace(encoded, this.config);
      await this.log.commit(Number(resourceVersion), files(encoded));
      this.state.apply(encoded);
    }
    accept?.();
    for (const change of changes) for (const listener of this.listeners) listener(change);
  }
}
