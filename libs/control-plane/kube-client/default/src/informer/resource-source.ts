import { KubeletError } from '@podwright/errors';
import type { InformerOptions, KubeObject, ResourceType } from '@podwright/kube-client-interface';
import { linkSignals, type Clock, type Timer } from '@podwright/time';
import { decodeList } from '../answer/decode-list.js';
import { defaultPageSize, listPages, type PagedList } from '../list-pages.js';
import type { RequestSender } from '../request/request-sender.js';
import { resourcePath, type Query } from '../request/resource-path.js';
import { until } from './until.js';
import { watchEvents, type WatchEvent } from './watch-events.js';

/** An open watch. `end()` closes it and may be called twice. */
export interface OpenWatch<T extends KubeObject> {
  readonly events: AsyncGenerator<WatchEvent<T>, void, undefined>;
  end(): Promise<void>;
}

// Enough for a page of large objects over a slow connection; a server answers a watch at once.
const answerTimeoutMs = 60_000;
// How late the server may end a watch after its timeout.
const watchGraceMs = 30_000;

/** Lists and watches the objects of one informer. */
export class ResourceSource<T extends KubeObject> {
  constructor(
    private readonly sender: RequestSender,
    private readonly clock: Clock,
    readonly resource: ResourceType<T>,
    private readonly options: InformerOptions<T>,
  ) {}

  /** `paged: false` requests all objects in one answer, which the server's watch cache can give. */
  list(resourceVersion: string, paged: boolean, signal: AbortSignal): Promise<PagedList<T>> {
    const fetchPage = async (query: Query): ReturnType<typeof decodeList<T>> =>
      decodeList(await this.sender.send(this.request(query), signal, answerTimeoutMs), this.resource, (object) =>
        this.keep(object),
      );
    return listPages(fetchPage, { resourceVersion, limit: paged ? defaultPageSize : 0 });
  }

  /**
   * Opens a watch that the server ends after `timeoutSeconds`. Ends it locally when the server does not answer for a
   * minute, or half a minute later than the server should: then the connection or the server is broken.
   */
  async watch(query: Query, timeoutSeconds: number, parent: AbortSignal): Promise<OpenWatch<T>> {
    const { signal, abort, dispose } = linkSignals(parent);
    const endAfter = (ms: number): Timer =>
      this.clock.setTimer(ms, () =>
        abort(new KubeletError(`deadline of ${ms} ms exceeded`, { code: 'deadline-exceeded' })),
      );
    let timer = endAfter(answerTimeoutMs);
    const release = (): void => {
      timer.cancel();
      dispose();
    };
    try {
      const request = this.request({ ...query, watch: true, allowWatchBookmarks: true, timeoutSeconds });
      const { body, format } = await this.sender.open(request, signal);
      timer.cancel();
      timer = endAfter(timeoutSeconds * 1000 + watchGraceMs);
      const answer = { body: until(body, signal), format };
      const events = watchEvents(answer, this.resource, { managedFields: this.options.transform !== undefined });
      return {
        events,
        end: async () => {
          release();
          await events.return();
        },
      };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** The part of an object to store: the options' transform, or everything except managed fields. */
  keep(object: T): T {
    if (this.options.transform !== undefined) return this.options.transform(object);
    if (object.metadata?.managedFields === undefined) return object;
    const { managedFields: _dropped, ...metadata } = object.metadata;
    return { ...object, metadata };
  }

  private request(query: Query): Parameters<RequestSender['send']>[0] {
    const { namespace, fieldSelector, labelSelector } = this.options;
    const target = namespace === undefined ? {} : { namespace };
    const path = resourcePath(this.resource, target, { fieldSelector, labelSelector, ...query });
    return { method: 'GET', path, budget: 'default', resource: this.resource };
  }
}
