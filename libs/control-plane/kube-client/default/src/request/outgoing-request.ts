import type { KubeHttpRequest, RequestBudget, ResourceType } from '@podwright/kube-client-interface';
import { jsonFormat } from '../content/json-format.js';
import type { RequestContent } from '../content/request-content.js';

/** One request without its headers. */
export interface OutgoingRequest {
  readonly method: KubeHttpRequest['method'];
  /** Path and query. */
  readonly path: string;
  /** An object of the API, or the JSON of a patch. */
  readonly body?: unknown;
  /** Only for patches, which are JSON; default: that of the client's content. */
  readonly contentType?: string;
  /** Default: what the client's content accepts. */
  readonly accept?: string;
  readonly budget: RequestBudget;
  /** Used in messages. */
  readonly resource?: ResourceType;
  /** Used in messages. */
  readonly name?: string;
}

/** Encodes the request for the transport. Throws a TypeError for an object with a value of another type. */
export function encodeRequest(
  { method, path, body, contentType, accept }: OutgoingRequest,
  content: RequestContent,
  userAgent: string,
): KubeHttpRequest {
  const headers = { accept: accept ?? content.accept, 'user-agent': userAgent };
  if (body === undefined) return { method, path, headers };
  const format = contentType === undefined ? content.format : jsonFormat;
  const type = { 'content-type': contentType ?? format.mediaType };
  return { method, path, headers: { ...headers, ...type }, body: format.encode(body) };
}
