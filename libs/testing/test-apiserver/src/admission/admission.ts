import type { ApiObject } from '../api-object.js';
import { forbidden, type ApiError } from '../api-error.js';
import type { ApiUser } from '../http/api-request.js';
import type { ServerContext } from '../registry/server-context.js';
import type { ApiResource } from '../resources/api-resource.js';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE';

/** What is about to be written, and by whom. */
export interface AdmissionRequest {
  readonly operation: AdmissionOperation;
  readonly resource: ApiResource;
  readonly namespace: string;
  /** Empty when the server shall make one up. */
  readonly name: string;
  readonly subresource: string;
  readonly user: ApiUser;
  /** What comes; absent in a deletion. For a subresource with a kind of its own (eviction, token) an object of that kind. */
  readonly object?: ApiObject;
  /** What there is; absent in a creation. */
  readonly old?: ApiObject;
}

/** One admission plugin: returns the object to go on with, undefined for no change. @throws ApiError to refuse. */
export type AdmissionPlugin = (request: AdmissionRequest, server: ServerContext) => ApiObject | undefined;

/** 403 about the object of the request, as upstream's admission.NewForbidden. */
export function refused({ resource, name }: AdmissionRequest, why: string): ApiError {
  return forbidden(resource, name, why);
}

/** True for the creation of a pod itself. */
export function createsPod({ operation, resource, subresource }: AdmissionRequest): boolean {
  return operation === 'CREATE' && resource.kind === 'Pod' && subresource === '';
}
