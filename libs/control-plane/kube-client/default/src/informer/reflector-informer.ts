import { abortable } from '@podwright/concurrency';
import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import type {
  Informer,
  InformerChange,
  InformerOptions,
  KubeObject,
  ResourceType,
} from '@podwright/kube-client-interface';
import type { Logger } from '@podwright/logging';
import { namedRandom, type Clock, type Random } from '@podwright/time';
import type { RequestSender } from '../request/request-sender.js';
import { ObjectStore } from './object-store.js';
import { ReflectorBackOff } from './reflector-back-off.js';
import { ReflectorLog } from './reflector-log.js';
import { Reflector } from './reflector.js';
import { ResourceSource } from './resource-source.js';

export interface ReflectorInformerDeps {
  readonly sender: RequestSender;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Why the server is unreachable; undefined when it is reachable. */
  readonly serverFailure: () => unknown;
  /** Calls the listener when an unavailable server answers again. Returns unsubscribe. */
  readonly onServerBack: (listener: () => void) => () => void;
  readonly streamedLists: boolean;
  readonly onStop: () => void;
}

// Upstream's minWatchTimeout.
const usualMinWatchTimeoutMs = 300_000;

/** {@link Informer} that a {@link Reflector} keeps up to date. */
export class ReflectorInformer<T extends KubeObject> implements Informer<T> {
  private readonly store: ObjectStore<T>;
  private readonly log: ReflectorLog;
  private readonly reflector: Reflector<T>;
  private readonly stopping = new AbortController();
  private readonly firstList: Promise<void>;
  private markListed: () => void = () => undefined;
  private loop: Promise<void> = Promise.resolve();
  private started = false;
  private listed = false;

  constructor(
    private readonly deps: ReflectorInformerDeps,
    private readonly resource: ResourceType<T>,
    options: InformerOptions<T>,
  ) {
    const { clock, logger, sender } = deps;
    const name = describe(resource, options);
    const random = namedRandom(deps.random, `watch ${name}`);
    this.firstList = new Promise((resolve) => (this.markListed = resolve));
    this.store = new ObjectStore<T>(logger.with({ reflector: name }));
    this.log = new ReflectorLog(logger, { reflector: name, type: `*${resource.version}.${resource.kind}` });
    this.reflector = new Reflector<T>({
      minWatchTimeoutMs: options.minWatchTimeoutMs ?? usualMinWatchTimeoutMs,
      source: new ResourceSource<T>(sender, clock, resource, options),
      store: this.store,
      clock,
      random,
      backOff: new ReflectorBackOff(clock, random, deps.onServerBack),
      log: this.log,
      name,
      streamedLists: deps.streamedLists,
      onListed: () => {
        this.listed = true;
        this.markListed();
      },
    });
  }

  start(): void {
    if (this.started || this.stopping.signal.aborted) return;
    this.started = true;
    this.loop = this.reflector.run(this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the informer was stopped', { code: 'cancelled' }));
    await this.loop;
    this.store.clearListeners();
    this.deps.onStop();
  }

  hasSynced(): boolean {
    return this.listed;
  }

  async synced(signal: AbortSignal): Promise<void> {
    if (this.listed) return;
    try {
      await abortable(this.firstList, signal);
    } catch (error) {
      const cause = this.log.lastFailure ?? this.deps.serverFailure() ?? error;
      throw new KubeletError(`${this.resource.plural} are not known yet: ${messageOf(cause)}`, {
        code: hasCode(error, 'deadline-exceeded') ? 'deadline-exceeded' : 'cancelled',
        cause,
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
    return this.reflector.resourceVersion;
  }
}

// `pods`, or with the selector; `object-"ns"/"name"` as upstream's secret manager names its own.
function describe(
  { plural }: ResourceType,
  { namespace, fieldSelector, labelSelector }: Omit<InformerOptions<KubeObject>, 'transform'>,
): string {
  const name = fieldSelector?.startsWith('metadata.name=') === true ? fieldSelector.slice(14) : undefined;
  if (namespace !== undefined && name !== undefined)
    return `object-${JSON.stringify(namespace)}/${JSON.stringify(name)}`;
  const selectors = [fieldSelector, labelSelector].filter((selector) => selector !== undefined && selector !== '');
  const place = namespace === undefined ? plural : `${namespace}/${plural}`;
  return selectors.length === 0 ? place : `${place} (${selectors.join(', ')})`;
}
