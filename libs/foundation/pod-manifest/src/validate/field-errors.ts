/** Upstream's classes of field errors, as the message shows them. */
export type FieldErrorType =
  | 'Required value'
  | 'Invalid value'
  | 'Unsupported value'
  | 'Duplicate value'
  | 'Not found'
  | 'Forbidden'
  | 'Too long'
  | 'Too many';

/** One fault of an object. `message` includes field and type: `spec.containers[0].name: Required value`. */
export interface FieldError {
  readonly field: string;
  readonly type: FieldErrorType;
  readonly message: string;
}

/**
 * Collects the faults of one object, worded as in kubernetes v1.36 apimachinery pkg/util/validation/field/errors.go.
 */
export class FieldErrors {
  readonly list: FieldError[] = [];

  required(field: string, detail = ''): void {
    this.add(field, 'Required value', detail);
  }

  invalid(field: string, value: unknown, detail: string): void {
    this.add(field, 'Invalid value', detail, value);
  }

  /** Adds an `Invalid value` for each fault that a name rule has found. */
  rule(field: string, value: unknown, faults: readonly string[]): void {
    for (const fault of faults) this.invalid(field, value, fault);
  }

  unsupported(field: string, value: unknown, supported: readonly string[]): void {
    const list = supported.map((item) => JSON.stringify(item)).join(', ');
    this.add(field, 'Unsupported value', `supported values: ${list}`, value);
  }

  /** Adds an `Unsupported value` unless `value` is in `supported` or undefined. */
  oneOf(field: string, value: string | undefined, supported: readonly string[]): void {
    if (value !== undefined && !supported.includes(value)) this.unsupported(field, value, supported);
  }

  duplicate(field: string, value: unknown): void {
    this.add(field, 'Duplicate value', '', value);
  }

  notFound(field: string, value: unknown): void {
    this.add(field, 'Not found', '', value);
  }

  forbidden(field: string, detail: string): void {
    this.add(field, 'Forbidden', detail);
  }

  tooLong(field: string, maxBytes: number): void {
    this.add(field, 'Too long', `may not be more than ${maxBytes} bytes`);
  }

  tooMany(field: string, actual: number, max: number): void {
    this.add(field, 'Too many', `must have at most ${max} items`, actual);
  }

  private add(field: string, type: FieldErrorType, detail: string, value?: unknown): void {
    const shown = value === undefined ? '' : `: ${formatValue(value)}`;
    this.list.push({ field, type, message: `${field}: ${type}${shown}${detail === '' ? '' : `: ${detail}`}` });
  }
}

/** Quotes and shortens a value of a manifest, so that it cannot pass for part of the message. */
function formatValue(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}
