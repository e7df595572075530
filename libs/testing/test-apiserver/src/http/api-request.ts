import type { ApiResource } from '../resources/api-resource.js';

/** Who asks. `system:masters` may do everything; `system:nodes` with a name `system:node:<node>` is a kubelet. */
export interface ApiUser {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  /** As a token review shows it, for instance the pod that a token is bound to. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** What a path, method and query ask of a resource. */
export interface ResourceTarget {
  readonly resource: ApiResource;
  readonly verb: Verb;
  /** Empty: all namespaces, or a cluster-wide resource. */
  readonly namespace: string;
  /** Empty for the collection. */
  readonly name: string;
  readonly subresource: string;
  /** What follows the subresource, of a proxy for instance, as it came: escaped, with its last slash, without the first. */
  readonly rest: string;
}

/** A request with its sender known and its body complete. */
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
