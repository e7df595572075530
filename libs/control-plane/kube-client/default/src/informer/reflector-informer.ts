import { abortable } from '@podwright/concurrency';
import { hasCode, KubeletError } from '@podwright/errors';
import type {
  Informer,
  InformerChange,
  InformerOptions,
  KubeObject,
  ResourceType,
} from '@podwright/kube-client-interface';
import type { ApiStatus } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { Clock, Random } from '@podwright/time';
import { statusError } from '../answer-error.js';
import { listPages } from '../list-pages.js';
import type { RequestSender } from '../request-sender.js';
import { resourcePath } from '../resource-path.js';
import { ObjectStore } from './object-store.js';
import { garbage, watchEvents } from './watch-events.js';

export interface ReflectorInformerDeps {
  readonly sender: RequestSender;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly onStop: () => void;
}

/** {@link Informer} as client-go's reflector. */
export class ReflectorInformer<T extends KubeObject> implements Informer<T> {
  private readonly store: ObjectStore<T>;
  private readonly stopping = new AbortController();
  private readonly firstList: Promise<void>;
  private markSynced: () => void = () => undefined;
  private loop: Promise<void> | undefined;
  private isSynced = false;
  private version = '';
  private lastFailure: unknown;

  constructor(
    private readonly deps: ReflectorInformerDeps,
    private readonly resource: ResourceType<T>,
    private readonly options: InformerOptions<T>,
  ) {
    this.store = new ObjectStore<T>(deps.logger);
    this.firstList = new Promise((resolve) => (this.markSynced = resolve));
  }

  start(): void {
    if (this.stopping.signal.aborted) return;
    this.loop ??= this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the informer was stopped', { code: 'cancelled' }));
    await this.loop;
    this.deps.onStop();
  }

  hasSynced(): boolean {
    return this.isSynced;
  }

  async synced(signal: AbortSignal): Promise<void> {
    try {
      await abortable(this.firstList, signal);
    } catch (error) {
      throw new KubeletError(`${this.resource.plural} are not listed yet`, {
        code: hasCode(error, 'deadline-exceeded') ? 'deadline-exceeded' : 'cancelled',
        cause: this.lastFailure ?? error,
      });
    }
  }

  get(namespace: string, name: string): T | undefined {
    return this.store.get(namespace, name);
  }

  list(): readonly T[] {
    return this.store.list();
  }

  watch(listener: (change: InformerChange<T>) => void): () => void {
    return this.store.watch(listener);
  }

  resourceVersion(): string {
    return this.version;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    let needsList = true;
    while (!signal.aborted) {
      try {
        if (needsList) await this.relist();
        needsList = false;
        await this.follow();
      } catch (error) {
        if (signal.aborted) return;
        this.lastFailure = error;
        needsList ||= hasCode(error, 'out-of-range');
        this.deps.logger.debug(2, 'watch failed', { resource: this.resource.plural, error });
        await this.deps.clock.sleep(800, signal).catch(() => undefined);
      }
    }
  }

  private async relist(): Promise<void> {
    const { namespace, fieldSelector, labelSelector } = this.options;
    const target = namespace === undefined ? {} : { namespace };
    const list = await listPages<T>(
      async (query) =>
        JSON.parse(
          await this.deps.sender.send(
            {
              method: 'GET',
              path: resourcePath(this.resource, target, query),
              budget: 'default',
              resource: this.resource,
            },
            this.stopping.signal,
            60_000,
          ),
        ),
      this.resource,
      {
        resourceVersion: this.version === '' ? '0' : '',
        ...(fieldSelector !== undefined && { fieldSelector }),
        ...(labelSelector !== undefined && { labelSelector }),
      },
    );
    this.store.replace(list.items.map((object) => this.slim(object)));
    this.version = list.metadata.resourceVersion ?? '';
    this.isSynced = true;
    this.markSynced();
  }

  private async follow(): Promise<void> {
    const { namespace, fieldSelector, labelSelector } = this.options;
    const { clock, random, sender } = this.deps;
    const timeoutSeconds = Math.floor(300 * (random.next() + 1));
    const path = resourcePath(this.resource, namespace === undefined ? {} : { namespace }, {
      fieldSelector,
      labelSelector,
      watch: true,
      allowWatchBookmarks: true,
      resourceVersion: this.version,
      timeoutSeconds,
    });
    const idle = clock.deadline((timeoutSeconds + 30) * 1000, this.stopping.signal);
    try {
      const request = { method: 'GET', path, budget: 'default', resource: this.resource } as const;
      const { body } = await sender.open(request, idle.signal);
      for await (const { type, object } of watchEvents(body)) {
        if (type === 'ERROR') throw statusError(object as ApiStatus, 500);
        if (type === 'ADDED' || type === 'MODIFIED') this.store.put(this.slim(object as T));
        else if (type === 'DELETED') this.store.delete(this.slim(object as T));
        else if (type !== 'BOOKMARK') throw garbage(`unknown event type ${type}`);
        this.version = object.metadata?.resourceVersion ?? this.version;
      }
    } finally {
      idle.dispose();
    }
  }

  private slim(object: T): T {
    if (this.options.transform !== undefined) return this.options.transform(object);
    if (object.metadata?.managedFields === undefined) return object;
    const { managedFields: _dropped, ...metadata } = object.metadata;
    return { ...object, metadata };
  }
}
