import { type ApiObject, fieldPredicate, parseFieldSelector, parseLabelSelector } from '@podwright/api-machinery';
import type { ResourceTarget } from '../http/api-request.js';

/** Selects the objects of a list, a watch or the deletion of a collection. */
export interface Selection {
  readonly matches: (object: ApiObject) => boolean;
  /** True when there is a selector: then a list does not report how many objects remain. */
  readonly narrowed: boolean;
}

/**
 * Reads the selectors of a request. @throws ApiError 400 for a malformed selector or a field that is not selectable.
 */
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
