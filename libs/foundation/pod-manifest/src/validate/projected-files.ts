import type { Volume } from '@podwright/kube-types';
import type { FieldErrors } from './field-errors.js';
import { validateFieldRef, validateResourceFieldRef, volumeFieldPaths } from './field-selectors.js';
import { validateFileMode, validateLocalNonReservedPath } from './paths.js';

type Keys = NonNullable<Volume['secret']>['items'];
type Files = NonNullable<Volume['downwardAPI']>['items'];

/** Validates the keys of a secret or config map and the file paths that they are projected to. */
export function validateKeys(items: Keys, field: string, errors: FieldErrors): void {
  (items ?? []).forEach(({ key, path, mode }, index) => {
    const place = `${field}[${index}]`;
    if (!key) errors.required(`${place}.key`);
    if (!path) errors.required(`${place}.path`);
    else validateLocalNonReservedPath(path, `${place}.path`, errors);
    validateFileMode(mode, `${place}.mode`, errors);
  });
}

/**
 * Validates the files of the downward API. Like upstream's, its errors name the source's field, without the item's
 * index.
 */
export function validateDownwardFiles(items: Files, field: string, errors: FieldErrors): void {
  for (const item of items ?? []) {
    if (!item.path) errors.required(`${field}.path`);
    else validateLocalNonReservedPath(item.path, `${field}.path`, errors);
    if (item.fieldRef !== undefined) {
      validateFieldRef(item.fieldRef, volumeFieldPaths, `${field}.fieldRef`, errors);
      if (item.resourceFieldRef !== undefined) {
        errors.invalid(field, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
      }
    } else if (item.resourceFieldRef !== undefined) {
      validateResourceFieldRef(item.resourceFieldRef, true, `${field}.resourceFieldRef`, errors);
    } else {
      errors.required(`${field}.fieldRef`, 'one of fieldRef and resourceFieldRef is required');
    }
    validateFileMode(item.mode, `${field}.mode`, errors);
  }
}
