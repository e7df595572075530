import {
  type ApiObject,
  fieldPredicate,
  parseFieldSelector,
  parseLabelSelector,
  selectableField,
} from '@podwright/api-machinery';
import type { ResourceTarget } from '../http/api-request.js';
import type { SelectedField } from '../store/store-listeners.js';

/** Selects the objects of a list, a watch or the deletion of a collection. */
export interface Selection {
  readonly matches: (object: ApiObject) => boolean;
  /** True when there is a selector: then a list does not report how many objects remain. */
  readonly narrowed: boolean;
  /** A field that every selected object has with this value, if the selectors name one. */
  readonly field?: SelectedField;
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
  const required = [...fields, ...(name === '' ? [] : [{ field: 'metadata.name', operator: '=', value: name }])].find(
    ({ operator }) => operator === '=',
  );
  return {
    matches,
    narrowed: labels !== '' || fields.length > 0,
    ...(required && {
      field: { name: required.field, value: required.value, of: selectableField(resource, required.field) },
    }),
  };
}
