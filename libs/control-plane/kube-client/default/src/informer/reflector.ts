import { KubeApiError, type KubeObject } from '@podwright/kube-client-interface';
import { formatGoDuration, type Clock, type Random } from '@podwright/time';
import type { ObjectStore } from './object-store.js';
import type { ReflectorBackOff } from './reflector-back-off.js';
import type { ReflectorLog } from './reflector-log.js';
import type { OpenWatch, ResourceSource } from './resource-source.js';
import { garbledWatch, isExpired, isTooLargeResourceVersion, keepsResourceVersion } from './watch-errors.js';
import { streamList } from './stream-list.js';

export interface ReflectorDeps<T extends KubeObject> {
  readonly minWatchTimeoutMs: number;
  readonly source: ResourceSource<T>;
  readonly store: ObjectStore<T>;
  readonly clock: Clock;
  readonly random: Random;
  readonly backOff: ReflectorBackOff;
  readonly log: ReflectorLog;
  /** Name in the message about a watch that ended at once. */
  readonly name: string;
  /** Ask for lists as streams; false: list, and then watch. */
  readonly streamedLists: boolean;
  /** Called after each full list, when the store has it and before the listeners are called. */
  readonly onListed: () => void;
}

// A watch that ends within this time without an event indicates a problem.
const shortWatchMs = 1_000;

/**
 * Keeps a store in sync with the server's objects by list and watch. Source: kubernetes v1.36
 * client-go/tools/cache/reflector.go.
 */
export class Reflector<T extends KubeObject> {
  /** Newest resource version seen. */
  private version = '';
  /** The server could not serve `version`: the next list requests the newest state. */
  private versionUnavailable = false;
  /** The server sends pages although its watch cache could answer: it has no watch cache. */
  private paginated = false;

  constructor(private readonly deps: ReflectorDeps<T>) {}

  get resourceVersion(): string {
    return this.version;
  }

  /** Resolves once the signal has aborted and no request is open. */
  async run(signal: AbortSignal): Promise<void> {
    const { log, backOff } = this.deps;
    log.debug(3, 'Starting reflector');
    while (!signal.aborted) {
      try {
        await this.listAndWatch(signal);
      } catch (error) {
        if (!signal.aborted) log.failed('Failed to watch', error);
      }
      await backOff.wait(signal);
    }
    log.debug(3, 'Stopping reflector');
  }

  private async listAndWatch(signal: AbortSignal): Promise<void> {
    const { log } = this.deps;
    log.debug(3, 'Listing and watching');
    const open = this.deps.streamedLists ? await this.listByWatch(signal) : undefined;
    if (signal.aborted) return;
    if (open === undefined) await this.list(signal);
    log.debug(2, 'Caches populated');
    await this.follow(open, signal);
  }

  /** Lists by a watch and returns it after its initial events; undefined when a normal list is needed. */
  private async listByWatch(signal: AbortSignal): Promise<OpenWatch<T> | undefined> {
    const { log, backOff, source, store, clock } = this.deps;
    while (!signal.aborted) {
      const resourceVersion = this.versionUnavailable ? '' : this.version;
      try {
        const streamed = await streamList({ source, clock, log }, resourceVersion, this.watchSeconds(), signal);
        if (streamed === undefined) {
          await backOff.wait(signal);
          continue;
        }
        this.versionUnavailable = false;
        store.replace(streamed.objects, () => this.listed(streamed.resourceVersion));
        return streamed.open;
      } catch (error) {
        if (signal.aborted) return undefined;
        if (keepsResourceVersion(error)) {
          log.failed('watch-list failed - backing off', error);
          await backOff.wait(signal);
        } else if (resourceVersion !== '' && (isExpired(error) || isTooLargeResourceVersion(error))) {
          this.versionUnavailable = true;
        } else {
          log.debug(4, 'Data could not be fetched in watch-list mode, falling back to a list', { error });
          return undefined;
        }
      }
    }
    return undefined;
  }

  private async list(signal: AbortSignal): Promise<void> {
    const { source, store } = this.deps;
    const resourceVersion = this.relistVersion();
    // With a version other than "" and "0", the server's watch cache only answers unpaged lists.
    const paged = this.paginated || resourceVersion === '' || resourceVersion === '0';
    let list;
    try {
      list = await source.list(resourceVersion, paged, signal);
      if (resourceVersion === '0' && list.paginated) this.paginated = true;
    } catch (error) {
      if (!isExpired(error) && !isTooLargeResourceVersion(error)) throw error;
      this.versionUnavailable = true;
      list = await source.list('', true, signal);
    }
    this.versionUnavailable = false;
    const { items, resourceVersion: listVersion } = list;
    store.replace(items, () => this.listed(listVersion));
  }

  private relistVersion(): string {
    if (this.versionUnavailable) return '';
    return this.version === '' ? '0' : this.version;
  }

  private listed(resourceVersion: string): void {
    this.version = resourceVersion;
    this.deps.onListed();
  }

  /** Watches repeatedly from the newest version, until a new list is needed. */
  private async follow(first: OpenWatch<T> | undefined, signal: AbortSignal): Promise<void> {
    const { clock, log, backOff } = this.deps;
    for (let open = first; !signal.aborted; open = undefined) {
      const startedAtMs = clock.monotonic();
      try {
        await this.consume(open ?? (await this.rewatch(signal)), startedAtMs);
      } catch (error) {
        if (signal.aborted) return;
        if (isExpired(error)) {
          log.debug(4, 'Watch closed', { error });
          return;
        }
        if (!keepsResourceVersion(error)) throw error;
        log.failed('Watch failed - backing off', error);
        await backOff.wait(signal);
      }
    }
  }

  private rewatch(signal: AbortSignal): Promise<OpenWatch<T>> {
    return this.deps.source.watch({ resourceVersion: this.version }, this.watchSeconds(), signal);
  }

  /** Resolves when the watch has ended normally; rejects on an ERROR event, invalid data, or an immediate end. */
  private async consume({ events, end }: OpenWatch<T>, startedAtMs: number): Promise<void> {
    const { source, store, clock, log, name } = this.deps;
    // A watch without a version begins with the existing objects, in no order of versions.
    let ordered = this.version !== '' && this.version !== '0';
    let count = 0;
    try {
      for await (const event of events) {
        count++;
        log.works();
        ordered ||= event.type !== 'ADDED';
        if (ordered) this.version = event.resourceVersion;
        if (event.type === 'DELETED') store.delete(source.keep(event.object));
        else if (event.type !== 'BOOKMARK') store.put(source.keep(event.object));
      }
    } catch (error) {
      if (!isStreamEnd(error)) throw error;
      log.debug(5, 'Unable to decode an event from the watch stream', { error });
    } finally {
      await end();
    }
    const lastedMs = clock.monotonic() - startedAtMs;
    if (lastedMs < shortWatchMs && count === 0) {
      throw garbledWatch(
        `very short watch: ${name}: Unexpected watch close - watch lasted less than a second and no items received`,
      );
    }
    log.works();
    log.debug(4, 'Watch close', { totalItems: count, duration: formatGoDuration(Math.round(lastedMs)) });
  }

  private watchSeconds(): number {
    return Math.floor((this.deps.minWatchTimeoutMs / 1_000) * (1 + this.deps.random.next()));
  }
}

/** The connection broke or the watch was open for too long: the known state is still valid. */
function isStreamEnd(error: unknown): boolean {
  return !(error instanceof KubeApiError && (error.status !== undefined || error.code === 'data-loss'));
}
