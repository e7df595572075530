import { ApiError } from '../api-error.js';
import type { ApiObject } from '../api-object.js';
import { decodeJson } from '../http/request-body.js';
import { applyMergePatch } from './merge-patch.js';

/** The object with a patch applied; the media type says which kind of patch. @throws ApiError 415, 400 or 422. */
export function applyPatch(object: ApiObject, mediaType: string, body: Uint8Array): ApiObject {
  const patch = decodeJson(body);
  switch (mediaType) {
    case 'application/merge-patch+json':
    case 'application/strategic-merge-patch+json':
      return applyMergePatch(object, patch) as ApiObject;
    default:
      throw new ApiError(
        415,
        'UnsupportedMediaType',
        `the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json, application/apply-patch+yaml`,
      );
  }
}
