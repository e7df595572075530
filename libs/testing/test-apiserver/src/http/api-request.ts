import type { ApiResource } from '../resources/api-resource.js';

/**
 * The sender of a request. `system:masters` are administrators; `system:node:<node>` in `system:nodes` is a kubelet.
 */
export interface ApiUser {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  /** Extra attributes, as in a token review, such as the pod that a token is bound to. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** The resource and the verb that a request's path, method and query name. */
export interface ResourceTarget {
  readonly resource: ApiResource;
  readonly verb: Verb;
  /** Empty: all namespaces, or a cluster-wide resource. */
  readonly namespace: string;
  /** Empty for the collection. */
  readonly name: string;
  readonly subresource: string;
  /** The path after the subresource, as sent (escaped), without its first slash, for a proxy. */
  readonly rest: string;
}

/** An authenticated request with its complete body. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly user: ApiUser;
  readonly signal: AbortSignal;
}

/** A request for a resource. */
export interface ResourceRequest extends ApiRequest {
  readonly target: ResourceTarget;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
}
