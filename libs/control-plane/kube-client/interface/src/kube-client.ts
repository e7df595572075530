import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';
import type { ObjectMeta } from '@podwright/kube-types';
import type { Informer, InformerOptions } from './informer.js';
import type { KubeObject, ResourceType } from './resource-type.js';

/**
 * The rate limit that a call counts against. Each has a token bucket of its own, so heartbeats never wait behind
 * statuses, nor statuses behind events. `heartbeat` has no limit. `authentication` and `authorization` are for
 * TokenReviews and SubjectAccessReviews: any stranger can cause them, so they may only delay each other. Lists of
 * informers count as `default`; watches have no limit.
 */
export type RequestBudget = 'default' | 'heartbeat' | 'status' | 'events' | 'authentication' | 'authorization';

export interface CallOptions {
  /** Aborts the call, and its wait for the rate limit. */
  readonly signal?: AbortSignal;
  /**
   * Time limit from the first send, retries included; 30 000 when absent. A call that takes longer rejects with
   * `deadline-exceeded`. A call whose next retry would come after the limit rejects at once with its last error.
   */
  readonly timeoutMs?: number;
  /** `default` when absent. */
  readonly budget?: RequestBudget;
}

export interface ObjectName {
  /** Empty or absent for cluster-wide resources. */
  readonly namespace?: string;
  readonly name: string;
}

export interface GetOptions extends CallOptions {
  /** `0`: the server may answer from its cache. */
  readonly resourceVersion?: string;
}

export interface ListOptions extends CallOptions {
  readonly namespace?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'NotOlderThan' | 'Exact';
  /** Objects per page; 500 when absent, 0 for one single page. The client always fetches all pages. */
  readonly limit?: number;
}

export interface ObjectList<T extends KubeObject> {
  readonly metadata: { readonly resourceVersion?: string };
  readonly items: readonly T[];
}

export interface WriteOptions extends CallOptions {
  readonly subresource?: string;
}

export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

export type Patch =
  | { readonly type: 'json'; readonly operations: readonly JsonPatchOperation[] }
  | { readonly type: 'merge' | 'strategic-merge'; readonly body: unknown };

export interface DeleteOptions extends CallOptions {
  /** Absent: the object's own grace period. */
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
}

export interface DeleteCollectionOptions extends CallOptions {
  readonly namespace?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

/**
 * Typed calls to the API server. Every failure is a {@link KubeApiError}. Like upstream's client it retries two
 * failures, up to 10 times: a 429 or 5xx with `Retry-After`, after that time; and a GET whose connection breaks before
 * the answer, after one second. Objects are the plain JSON of the answer. A call rejects with `data-loss` when the
 * answer is not JSON or is of another kind. Source: kubernetes v1.36 staging/src/k8s.io/client-go/rest/request.go.
 */
export interface KubeClient extends Lifecycle, HealthReporter {
  /** URL of the server, for messages. */
  readonly server: string;
  get<T extends KubeObject>(resource: ResourceType<T>, name: ObjectName, options?: GetOptions): Promise<T>;
  list<T extends KubeObject>(resource: ResourceType<T>, options?: ListOptions): Promise<ObjectList<T>>;
  /** Takes the namespace from the object's metadata. */
  create<T extends KubeObject>(resource: ResourceType<T>, object: T, options?: CallOptions): Promise<T>;
  /** Sends a POST to a subresource (`token`, `eviction`, `binding`). Body and answer have kinds of their own. */
  createSubresource<Answer extends KubeObject>(
    resource: ResourceType,
    name: ObjectName & { readonly subresource: string },
    body: KubeObject,
    options?: CallOptions,
  ): Promise<Answer>;
  /** Sends a PUT; takes namespace and name from the object's metadata. */
  update<T extends KubeObject & { readonly metadata?: ObjectMeta }>(
    resource: ResourceType<T>,
    object: T,
    options?: WriteOptions,
  ): Promise<T>;
  patch<T extends KubeObject>(
    resource: ResourceType<T>,
    name: ObjectName,
    patch: Patch,
    options?: WriteOptions,
  ): Promise<T>;
  delete(resource: ResourceType, name: ObjectName, options?: DeleteOptions): Promise<void>;
  /** Deletes all objects that the selectors name; no object is no error. Without selectors, all of the resource. */
  deleteCollection(resource: ResourceType, options?: DeleteCollectionOptions): Promise<void>;
  /** Sends a GET to any path, such as `/healthz`, and resolves with the text. Rejects on a status other than 2xx. */
  getText(path: string, options?: CallOptions): Promise<string>;
  /** Creates an informer; the caller starts it. The client's `stop()` stops all informers that still run. */
  inform<T extends KubeObject>(resource: ResourceType<T>, options?: InformerOptions<T>): Informer<T>;
  closeConnections(which: 'idle' | 'all'): void;
}

export const KUBE_CLIENT = createToken<KubeClient>('kubelet.kube-client/v1');

/** Creates clients with other credentials than the kubelet's own, for bootstrap. */
export interface KubeClientFactory {
  /** The caller starts and stops the client. Rejects with `invalid-argument` that names file, field and value. */
  fromKubeconfig(file: string): Promise<KubeClient>;
}

export const KUBE_CLIENT_FACTORY = createToken<KubeClientFactory>('kubelet.kube-client-factory/v1');
