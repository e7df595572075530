import { KubeApiError, type KubeObject, type ResourceType } from '@podwright/kube-client-interface';
import { isJsonObject, type ApiStatus } from '@podwright/kube-types';
import { statusError } from '../request/answer-error.js';

/** `v1`, or `group/version`. */
export function apiVersionOf({ group, version }: ResourceType): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The error for an answer that is not what was requested. */
export function garbledAnswer(message: string, cause?: unknown): KubeApiError {
  return new KubeApiError(message, { code: 'data-loss', httpStatus: 200, cause });
}

/** Parses a JSON object. Throws `data-loss`, or the error of a Status object with Failure. */
export function decodeJsonObject(body: Buffer): KubeObject {
  if (body.byteLength === 0) throw garbledAnswer('the server answered without a body');
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw garbledAnswer(`the server's answer is not JSON: ${(error as Error).message}`, error);
  }
  if (!isJsonObject(value))
    throw garbledAnswer(`the server answered with ${JSON.stringify(value).slice(0, 100)}, not with an object`);
  const object = value as KubeObject;
  if (object.kind === 'Status' && (object as ApiStatus).status === 'Failure')
    throw statusError(object as ApiStatus, 200);
  return object;
}

/** As {@link decodeJsonObject}; also checks that the object is of the resource. */
export function decodeObject<T extends KubeObject>(body: Buffer, resource: ResourceType<T>): T {
  const object = decodeJsonObject(body);
  checkKind(object, resource, resource.kind);
  if (resource.transient !== true && typeof object.metadata?.name !== 'string')
    throw garbledAnswer(`the server answered with a ${resource.kind} without metadata.name`);
  return object as T;
}

/** Throws `data-loss` for an object of another kind or group; accepts absent ones, which old servers omit. */
export function checkKind({ apiVersion, kind }: KubeObject, resource: ResourceType, wanted: string): void {
  const version = apiVersionOf(resource);
  if ((kind ?? wanted) === wanted && (apiVersion ?? version) === version) return;
  const got = `${String(apiVersion ?? '')} ${String(kind ?? '')}`.trim();
  throw garbledAnswer(`the server answered with an object of ${got}, not of ${version} ${wanted}`);
}
