import type { FieldErrors } from './field-errors.js';

function hasBackstep(path: string): boolean {
  return path.split('/').includes('..');
}

/** Validates a relative path that stays below its root, such as a sub-path or a file name in a secret. */
export function validateLocalDescendingPath(path: string, field: string, errors: FieldErrors): void {
  if (path.startsWith('/')) errors.invalid(field, path, 'must be a relative path');
  validateNoBacksteps(path, field, errors);
}

export function validateNoBacksteps(path: string, field: string, errors: FieldErrors): void {
  if (hasBackstep(path)) errors.invalid(field, path, "must not contain '..'");
}

/**
 * As {@link validateLocalDescendingPath}, and rejects names that start with `..`, which the atomic writer uses itself.
 */
export function validateLocalNonReservedPath(path: string, field: string, errors: FieldErrors): void {
  validateLocalDescendingPath(path, field, errors);
  if (path.startsWith('..') && !path.startsWith('../')) errors.invalid(field, path, "must not start with '..'");
}

/** Validates the mode of projected files. */
export function validateFileMode(mode: number | undefined, field: string, errors: FieldErrors): void {
  if (mode !== undefined && (mode < 0 || mode > 0o777)) {
    errors.invalid(field, mode, 'must be a number between 0 and 0777 (octal), both inclusive');
  }
}
