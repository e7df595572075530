import type { ConfigField, ConfigResult } from './config-schema.js';

interface Range {
  readonly min?: number;
  readonly max?: number;
}

function field<T>(fallback: T | undefined, problem: string, accept: (value: unknown) => value is T): ConfigField<T> {
  return {
    decode: (value, name): ConfigResult<T> => {
      if (value === undefined && fallback !== undefined) return { ok: true, value: fallback };
      if (value !== undefined && accept(value)) return { ok: true, value };
      const expected = value === undefined ? `is required and ${problem}` : problem;
      return { ok: false, faults: [{ field: name, value, problem: expected }] };
    },
  };
}

const rangeText = ({ min, max }: Range): string =>
  `${min === undefined ? '' : ` >= ${min}`}${max === undefined ? '' : `${min === undefined ? '' : ' and'} <= ${max}`}`;
const inRange = (value: number, { min, max }: Range): boolean =>
  (min === undefined || value >= min) && (max === undefined || value <= max);

/** A finite number. Here and below, `fallback` is the default; without it the option is required. */
export function numberField(fallback?: number, range: Range = {}): ConfigField<number> {
  return field(
    fallback,
    `must be a number${rangeText(range)}`,
    (value): value is number => typeof value === 'number' && Number.isFinite(value) && inRange(value, range),
  );
}

/** A whole number. */
export function integerField(fallback?: number, range: Range = {}): ConfigField<number> {
  return field(
    fallback,
    `must be a whole number${rangeText(range)}`,
    (value): value is number => Number.isSafeInteger(value) && inRange(value as number, range),
  );
}

/** Milliseconds as a number, >= 0 unless a range says otherwise. */
export function durationMsField(fallback?: number, range: Range = { min: 0 }): ConfigField<number> {
  return field(
    fallback,
    `must be a number of milliseconds${rangeText(range)}`,
    (value): value is number => typeof value === 'number' && Number.isFinite(value) && inRange(value, range),
  );
}

export function booleanField(fallback?: boolean): ConfigField<boolean> {
  return field(fallback, 'must be true or false', (value): value is boolean => typeof value === 'boolean');
}

export function stringField(fallback?: string): ConfigField<string> {
  return field(fallback, 'must be a string', (value): value is string => typeof value === 'string');
}

export function enumField<const T extends string>(values: readonly T[], fallback?: T): ConfigField<T> {
  const listed = values.map((value) => (value === '' ? '""' : value)).join(', ');
  return field(fallback, `must be one of ${listed}`, (value): value is T =>
    (values as readonly unknown[]).includes(value),
  );
}

/** A list of strings. */
export function listField(fallback?: readonly string[]): ConfigField<readonly string[]> {
  return field(
    fallback,
    'must be a list of strings',
    (value): value is readonly string[] => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  );
}

/** An object of strings. */
export function stringMapField(
  fallback?: Readonly<Record<string, string>>,
): ConfigField<Readonly<Record<string, string>>> {
  return field(
    fallback,
    'must be an object with string values',
    (value): value is Readonly<Record<string, string>> =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.values(value).every((item) => typeof item === 'string'),
  );
}
