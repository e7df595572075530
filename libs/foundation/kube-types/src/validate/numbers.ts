import { rangeMessage } from '../names/name-rules.js';
import type { FieldErrors } from './field-errors.js';

export function validateNonNegative(value: number | undefined, field: string, errors: FieldErrors): void {
  if (value !== undefined && value < 0) errors.invalid(field, value, 'must be greater than or equal to 0');
}

export function validateRange(
  value: number | undefined,
  low: number,
  high: number,
  field: string,
  errors: FieldErrors,
): void {
  if (value !== undefined && (value < low || value > high)) errors.invalid(field, value, rangeMessage(low, high));
}

/** User and group IDs: 0 to 2^31-1. */
export function validateId(id: number | undefined, field: string, errors: FieldErrors): void {
  validateRange(id, 0, 2 ** 31 - 1, field, errors);
}
