import { type ApiObject, forbidden, type ApiError } from '@podwright/api-machinery';
import type { ApiUser } from '../http/api-request.js';
import type { ServerContext } from '../registry/server-context.js';
import type { ApiResource } from '../resources/api-resource.js';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE';

/** A write that awaits admission. */
export interface AdmissionRequest {
  readonly operation: AdmissionOperation;
  readonly resource: ApiResource;
  readonly namespace: string;
  /** Empty when the server is to generate it. */
  readonly name: string;
  readonly subresource: string;
  readonly user: ApiUser;
  /**
   * The new object; absent for a deletion. For a subresource with its own kind (eviction, token), an object of that
   * kind.
   */
  readonly object?: ApiObject;
  /** The stored object; absent for a creation. */
  readonly old?: ApiObject;
}

/** One admission plugin. Returns the changed object, or undefined for no change. @throws ApiError to refuse. */
export type AdmissionPlugin = (request: AdmissionRequest, server: ServerContext) => ApiObject | undefined;

/** The 403 of a plugin that refuses the request, as upstream's admission.NewForbidden. */
export function refused({ resource, name }: AdmissionRequest, why: string): ApiError {
  return forbidden(resource, name, why);
}

/** True when the request creates a pod (not a subresource of one). */
export function createsPod({ operation, resource, subresource }: AdmissionRequest): boolean {
  return operation === 'CREATE' && resource.kind === 'Pod' && subresource === '';
}
