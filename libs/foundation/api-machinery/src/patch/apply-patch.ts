import type { ApiObject } from '../api-object.js';
import { decodeJson } from '../options/request-body.js';
import { ApiError, badRequest } from '../status/api-error.js';
import { isJsonObject } from '@podwright/kube-types';
import { applyJsonPatch } from './json-patch.js';
import { applyMergePatch } from './merge-patch.js';
import { applyStrategicMergePatch } from './strategic-merge-patch.js';

const accepted =
  'application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json, application/apply-patch+yaml';

/** Applies a patch of the given media type to the object. @throws ApiError 415, 400 or 422. */
export function applyPatch(object: ApiObject, mediaType: string, body: Uint8Array): ApiObject {
  return withMetadata(patched(object, mediaType, decodeJson(body)));
}

function patched(object: ApiObject, mediaType: string, patch: unknown): unknown {
  switch (mediaType) {
    case 'application/json-patch+json':
      return applyJsonPatch(object, patch);
    case 'application/merge-patch+json':
      return applyMergePatch(object, patch);
    case 'application/strategic-merge-patch+json':
      if (!isJsonObject(patch))
        throw badRequest('json: cannot unmarshal into Go value of type map[string]interface {}');
      return applyStrategicMergePatch(object.kind ?? '', object, patch);
    default:
      throw new ApiError(
        415,
        'UnsupportedMediaType',
        `the body of the request was in an unknown format - accepted media types include: ${accepted}`,
      );
  }
}

/** Restores metadata that the patch has removed, because the rest of the server relies on it. */
function withMetadata(object: unknown): ApiObject {
  if (!isJsonObject(object)) throw badRequest('the patch does not leave an object');
  return { ...object, metadata: isJsonObject(object.metadata) ? object.metadata : {} };
}
