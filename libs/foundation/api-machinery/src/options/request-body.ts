import { messageOf } from '@podwright/errors';
import { isJsonObject } from '@podwright/kube-types';
import { ApiError, badRequest } from '../status/api-error.js';
import type { ApiObject } from '../api-object.js';

/** Upstream's limit of a request's body. */
export const maxBodyBytes = 3 * 1024 * 1024;

/** The answer to a larger one. */
export const tooLarge = (): ApiError =>
  new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${maxBodyBytes}`);

/** Decodes a JSON body. @throws ApiError 400 for malformed JSON, 413 when it is too large. */
export function decodeJson(body: Uint8Array): unknown {
  if (body.byteLength > maxBodyBytes) throw tooLarge();
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch (error) {
    throw badRequest(`couldn't get version/kind; json parse error: ${messageOf(error)}`);
  }
}

/** Decodes an API object. @throws ApiError 400 for a body that is no JSON object. */
export function decodeObject(body: Uint8Array): ApiObject {
  const decoded = decodeJson(body);
  if (!isJsonObject(decoded)) throw badRequest('the object provided is unrecognized (must be of type object)');
  return { ...decoded, metadata: isJsonObject(decoded.metadata) ? decoded.metadata : {} };
}
