import type { ApiObject } from '../api-object.js';
import type { ResourceTarget } from '../http/api-request.js';
import { fieldPredicate, parseFieldSelector } from '../selectors/field-selector.js';
import { parseLabelSelector } from '../selectors/label-selector-text.js';

/** Which objects a list, a watch or a deletion of a collection is about. */
export interface Selection {
  readonly matches: (object: ApiObject) => boolean;
  /** With a selector the server does not tell how many objects remain. */
  readonly narrowed: boolean;
}

/** @throws ApiError 400 for a selector that is none, or a field that the resource cannot be selected by. */
export function selectionOf({ resource, namespace, name }: ResourceTarget, query: URLSearchParams): Selection {
  const labels = query.get('labelSelector') ?? '';
  const fields = parseFieldSelector(query.get('fieldSelector') ?? '');
  const labelsMatch = parseLabelSelector(labels);
  const fieldsMatch = fieldPredicate(resource, fields);
  const matches = (object: ApiObject): boolean =>
    (namespace === '' || object.metadata.namespace === namespace) &&
    (name === '' || object.metadata.name === name) &&
    labelsMatch(object.metadata.labels ?? {}) &&
    fieldsMatch(object);
  return { matches, narrowed: labels !== '' || fields.length > 0 };
}
