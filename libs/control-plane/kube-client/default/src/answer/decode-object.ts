import { messageOf } from '@podwright/errors';
import { KubeApiError, type KubeObject, type ResourceType } from '@podwright/kube-client-interface';
import { isJsonObject, type ApiStatus } from '@podwright/kube-types';
import type { Answer } from '../content/answer.js';
import type { ContentFormat } from '../content/content-format.js';
import { statusError } from '../request/answer-error.js';

/** `v1`, or `group/version`. */
export function apiVersionOf({ group, version }: ResourceType): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The error for an answer that is not what was requested. */
export function garbledAnswer(message: string, cause?: unknown): KubeApiError {
  return new KubeApiError(message, { code: 'data-loss', httpStatus: 200, cause });
}

/** Decodes an object of any kind. Throws `data-loss`, or the error of a Status object with Failure. */
export function decodeAnyObject({ body, format }: Answer): KubeObject {
  if (body.byteLength === 0) throw garbledAnswer('the server answered without a body');
  let value: unknown;
  try {
    value = format.decode(body);
  } catch (error) {
    throw notInFormat(format, error);
  }
  return checkObject(value);
}

/** The error for an answer that cannot be decoded. */
export function notInFormat({ name }: ContentFormat, error: unknown): KubeApiError {
  return garbledAnswer(`the server's answer is not ${name}: ${messageOf(error)}`, error);
}

/** Throws `data-loss` for another value, and the error of a Status object with Failure. */
export function checkObject(value: unknown): KubeObject {
  if (!isJsonObject(value))
    throw garbledAnswer(`the server answered with ${JSON.stringify(value).slice(0, 100)}, not with an object`);
  const object = value as KubeObject;
  if (object.kind === 'Status' && (object as ApiStatus).status === 'Failure')
    throw statusError(object as ApiStatus, 200);
  return object;
}

/** As {@link decodeAnyObject}; also checks that the object is of the resource. */
export function decodeObject<T extends KubeObject>(answer: Answer, resource: ResourceType<T>): T {
  const object = decodeAnyObject(answer);
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
