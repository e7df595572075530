import type { KubeHttpRequest, RequestBudget, ResourceType } from '@podwright/kube-client-interface';

/** One request before its headers. */
export interface OutgoingRequest {
  readonly method: KubeHttpRequest['method'];
  /** Path and query. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Of the body; `application/json` when absent. */
  readonly contentType?: string;
  /** `application/json` when absent. */
  readonly accept?: string;
  readonly budget: RequestBudget;
  /** For messages. */
  readonly resource?: ResourceType;
  /** For messages. */
  readonly name?: string;
}

/** As it goes to the transport. */
export function encodeRequest(
  { method, path, body, contentType = 'application/json', accept = 'application/json' }: OutgoingRequest,
  userAgent: string,
): KubeHttpRequest & { readonly body?: string } {
  const headers = { accept, 'user-agent': userAgent };
  if (body === undefined) return { method, path, headers };
  return { method, path, headers: { ...headers, 'content-type': contentType }, body: JSON.stringify(body) };
}
