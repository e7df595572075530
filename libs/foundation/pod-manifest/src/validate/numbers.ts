import { rangeMessage } from '@podwright/kube-types';
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

/** Validates a user or group ID: 0 to 2^31-1. */
export function validateId(id: number | undefined, field: string, errors: FieldErrors): void {
  validateRange(id, 0, 2 ** 31 - 1, field, errors);
}
