import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';
import type { ObjectMeta } from '@podwright/kube-types';
import type { Informer, InformerOptions } from './informer.js';
import type { KubeObject, ResourceType } from './resource-type.js';

/**
 * Which rate limit a call counts against; each has a token bucket of its own, so that heartbeats never wait behind
 * statuses nor those behind events. `heartbeat` has no limit. `authentication` and `authorization` are for the questions who
 * calls the node and whether they may: strangers cause the first ones, so that they must hold up nothing but each other.
 * Lists of informers count as `default`, watches not at all.
 */
export type RequestBudget = 'default' | 'heartbeat' | 'status' | 'events' | 'authentication' | 'authorization';

export interface CallOptions {
  /** Ends the wait for the budget as well as the call. */
  readonly signal?: AbortSignal;
  /**
   * From the moment that the request is first sent, over all its repetitions; 30 000 when absent. A call that takes longer
   * rejects with `deadline-exceeded`; one whose `Retry-After` would take longer rejects at once with the server's error.
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
  /** `0`: an answer from the server's cache will do. */
  readonly resourceVersion?: string;
}

export interface ListOptions extends CallOptions {
  readonly namespace?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'NotOlderThan' | 'Exact';
  /** Objects per page; all pages are fetched, 500 when absent, 0 for all in one. */
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
  /** Absent: as the object says. */
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
}

/**
 * Typed calls to the API server. Every failure is a {@link KubeApiError}. What upstream's client repeats is repeated, up to
 * 10 times: a 429 or 5xx that names `Retry-After` after that time, a GET whose connection broke before an answer after a
 * second; nothing else. Objects are the plain JSON of the answer. An answer that is no JSON or of another kind rejects with
 * `data-loss`. Source: kubernetes v1.36 staging/src/k8s.io/client-go/rest/request.go.
 */
export interface KubeClient extends Lifecycle, HealthReporter {
  /** URL of the server, for messages. */
  readonly server: string;
  get<T extends KubeObject>(resource: ResourceType<T>, name: ObjectName, options?: GetOptions): Promise<T>;
  list<T extends KubeObject>(resource: ResourceType<T>, options?: ListOptions): Promise<ObjectList<T>>;
  /** Namespace from the object's metadata. */
  create<T extends KubeObject>(resource: ResourceType<T>, object: T, options?: CallOptions): Promise<T>;
  /** POST to a subresource (`token`, `eviction`, `binding`); body and answer are of other kinds than the resource. */
  createSubresource<Answer extends KubeObject>(
    resource: ResourceType,
    name: ObjectName & { readonly subresource: string },
    body: KubeObject,
    options?: CallOptions,
  ): Promise<Answer>;
  /** PUT; namespace and name from the object's metadata. */
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
  /** A GET of any path, `/healthz` for instance, as text; a status from 400 on rejects. */
  getText(path: string, options?: CallOptions): Promise<string>;
  /** Not started yet. The client's stop stops all that are left. */
  inform<T extends KubeObject>(resource: ResourceType<T>, options?: InformerOptions<T>): Informer<T>;
  closeConnections(which: 'idle' | 'all'): void;
}

export const KUBE_CLIENT = createToken<KubeClient>('kubelet.kube-client/v1');

/** Makes clients with other credentials than the kubelet's own, for bootstrap. */
export interface KubeClientFactory {
  /** The caller starts and stops it. Rejects with `invalid-argument` that names file, field and value. */
  fromKubeconfig(file: string): Promise<KubeClient>;
}

export const KUBE_CLIENT_FACTORY = createToken<KubeClientFactory>('kubelet.kube-client-factory/v1');
