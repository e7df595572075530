import type { KubeHttpRequest, RequestBudget, ResourceType } from '@podwright/kube-client-interface';

/** One request without its headers. */
export interface OutgoingRequest {
  readonly method: KubeHttpRequest['method'];
  /** Path and query. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Content type of the body; default `application/json`. */
  readonly contentType?: string;
  /** Default `application/json`. */
  readonly accept?: string;
  readonly budget: RequestBudget;
  /** Used in messages. */
  readonly resource?: ResourceType;
  /** Used in messages. */
  readonly name?: string;
}

/** Encodes the request for the transport. */
export function encodeRequest(
  { method, path, body, contentType = 'application/json', accept = 'application/json' }: OutgoingRequest,
  userAgent: string,
): KubeHttpRequest & { readonly body?: string } {
  const headers = { accept, 'user-agent': userAgent };
  if (body === undefined) return { method, path, headers };
  return { method, path, headers: { ...headers, 'content-type': contentType }, body: JSON.stringify(body) };
}
