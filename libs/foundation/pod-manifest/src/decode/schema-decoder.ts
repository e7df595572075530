import type { Fields, ListSchema, MapSchema, ObjectSchema, ScalarSchema, Schema } from './schema.js';
import type { DecodeFault, SourceValue } from './source-value.js';
import { childPath, describeValue, isSourceObject } from './source-value.js';
import { suggestField } from './suggest-field.js';

export interface Decoded {
  /** A plain JSON value without the parts that have faults. Cast it to a type only when there is no fault. */
  readonly value: unknown;
  readonly faults: readonly DecodeFault[];
}

/** Checks a document against a schema, collects all faults, and returns the value as the API would write it. */
export function decodeWithSchema(schema: Schema, value: SourceValue, path = ''): Decoded {
  const faults: DecodeFault[] = [];
  return { value: decode(schema, value, path, faults), faults };
}

function decode(schema: Schema, value: SourceValue, path: string, faults: DecodeFault[]): unknown {
  switch (schema.kind) {
    case 'scalar':
      return decodeScalar(schema, value, path, faults);
    case 'list':
      return decodeList(schema, value, path, faults);
    case 'map':
      return decodeMap(schema, value, path, faults);
    case 'object':
      return decodeObject(schema, value, path, faults);
    case 'any':
      return plain(value);
  }
}

function wrongType(expected: string, value: SourceValue, path: string, faults: DecodeFault[]): undefined {
  faults.push({ kind: 'type', path, message: `expected ${expected}, got ${describeValue(value)}` });
  return undefined;
}

function decodeScalar(schema: ScalarSchema, value: SourceValue, path: string, faults: DecodeFault[]): unknown {
  // null in a list or a map is the zero value, as in Go; decodeObject has dropped null fields already.
  if (value === null) return schema.zero;
  const reading = schema.read(value);
  if (reading === undefined) return wrongType(schema.expected, value, path, faults);
  if ('value' in reading) return reading.value;
  faults.push({ kind: 'type', path, message: reading.fault });
  return undefined;
}

function decodeList(schema: ListSchema, value: SourceValue, path: string, faults: DecodeFault[]): unknown {
  if (value === null) return [];
  if (!Array.isArray(value)) return wrongType('list', value, path, faults);
  return (value as readonly SourceValue[]).map((item, index) => decode(schema.item, item, `${path}[${index}]`, faults));
}

function decodeMap(schema: MapSchema, value: SourceValue, path: string, faults: DecodeFault[]): unknown {
  if (value === null) return {};
  if (!isSourceObject(value)) return wrongType('object', value, path, faults);
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const place = `${path}[${key.slice(0, 80)}]`;
    if (key === '__proto__') faults.push({ kind: 'type', path: place, message: 'this key is not allowed' });
    else result[key] = decode(schema.value, item, place, faults);
  }
  return result;
}

function decodeObject(schema: ObjectSchema, value: SourceValue, path: string, faults: DecodeFault[]): unknown {
  if (value === null) return fillZeros(schema.fields, {});
  if (!isSourceObject(value)) return wrongType('object', value, path, faults);
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const field = Object.hasOwn(schema.fields, key) ? schema.fields[key] : undefined;
    const place = childPath(path, key);
    if (field === undefined) {
      faults.push({ kind: 'unknown-field', path: place, message: `unknown field${hint(key, schema, faults)}` });
      continue;
    }
    if (item === null) {
      const fault = field.kind === 'scalar' && field.rule !== 'kept' ? field.nullFault : undefined;
      if (fault !== undefined) faults.push({ kind: 'type', path: place, message: fault });
      continue;
    }
    const decoded = decode(field, item, place, faults);
    if (decoded !== undefined && !(field.rule === 'dropped' && isZero(field, decoded))) result[key] = decoded;
  }
  return fillZeros(schema.fields, result);
}

/** A suggestion compares the key with every field name, which costs too much for a file full of nonsense. */
function hint(key: string, schema: ObjectSchema, faults: readonly DecodeFault[]): string {
  return faults.length < 20 ? suggestField(key, schema.fields) : '';
}

function fillZeros(fields: Fields, result: Record<string, unknown>): Record<string, unknown> {
  for (const [key, field] of Object.entries(fields)) {
    if (field.rule === 'always' && !Object.hasOwn(result, key)) result[key] = zeroOf(field);
  }
  return result;
}

function zeroOf(schema: Schema): unknown {
  switch (schema.kind) {
    case 'scalar':
      return schema.zero;
    case 'list':
      return [];
    case 'map':
      return {};
    case 'object':
      return fillZeros(schema.fields, {});
    case 'any':
      return null;
  }
}

function isZero(schema: Schema, value: unknown): boolean {
  if (schema.kind === 'scalar') return value === schema.zero;
  if (schema.kind === 'list') return (value as readonly unknown[]).length === 0;
  return schema.kind === 'map' && Object.keys(value as object).length === 0;
}

/** Turns the readers' prototype-free objects of unchecked parts into ordinary ones. */
function plain(value: SourceValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return (value as readonly SourceValue[]).map(plain);
  if (!isSourceObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== '__proto__');
  return Object.fromEntries(entries.map(([key, item]) => [key, plain(item)]));
}
