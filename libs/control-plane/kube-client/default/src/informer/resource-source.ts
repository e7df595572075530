import type { InformerOptions, KubeObject, ResourceType } from '@podwright/kube-client-interface';
import type { Clock } from '@podwright/time';
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

// Enough for a page of large objects over a slow connection.
const listTimeoutMs = 60_000;
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
      decodeList(await this.sender.send(this.request(query), signal, listTimeoutMs), this.resource, (object) =>
        this.keep(object),
      );
    return listPages(fetchPage, { resourceVersion, limit: paged ? defaultPageSize : 0 });
  }

  /**
   * Opens a watch that the server ends after `timeoutSeconds`. Ends it locally half a minute later: then the connection
   * or the server is broken.
   */
  async watch(query: Query, timeoutSeconds: number, signal: AbortSignal): Promise<OpenWatch<T>> {
    const deadline = this.clock.deadline(timeoutSeconds * 1000 + watchGraceMs, signal);
    try {
      const request = this.request({ ...query, watch: true, allowWatchBookmarks: true, timeoutSeconds });
      const { body, format } = await this.sender.open(request, deadline.signal);
      const answer = { body: until(body, deadline.signal), format };
      const events = watchEvents(answer, this.resource, { managedFields: this.options.transform !== undefined });
      return {
        events,
        end: async () => {
          deadline.dispose();
          await events.return();
        },
      };
    } catch (error) {
      deadline.dispose();
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
