import { isJsonObject } from '@podwright/kube-types';
import { apiType, type ApiType, type Scalar, type ValueType } from './api-type.js';

/** The result of comparing an object with its type. */
export interface CheckedFields {
  /** The object without unknown fields. */
  readonly value: unknown;
  /** The paths of the unknown fields, in their order in the text: `spec.containers[0].foo`. */
  readonly unknown: readonly string[];
  /** The message about the first value of a wrong type, in the words of Go's decoder. */
  readonly mismatch: string | undefined;
}

/**
 * Finds unknown fields and values of a wrong type in JSON, as strict decoding does. Allows directives of strategic
 * merge patches (`$patch`). Source: kubernetes v1.36 sigs.k8s.io/json.
 */
export function checkFields(value: unknown, type: ApiType): CheckedFields {
  const unknown: string[] = [];
  const mismatches: string[] = [];
  const checked = objectOf(value, type, { path: '', field: '', owner: '' }, { unknown, mismatches });
  return { value: checked, unknown, mismatch: mismatches[0] };
}

interface Place {
  /** The path with indexes. */
  readonly path: string;
  /** The path without indexes, as Go names fields. */
  readonly field: string;
  readonly owner: string;
}

interface Findings {
  readonly unknown: string[];
  readonly mismatches: string[];
}

function objectOf(value: unknown, type: ApiType, place: Place, findings: Findings): unknown {
  if (value === null) return value;
  if (!isJsonObject(value)) return mismatch(value, goObject(type.name), place, findings);
  const owner = type.name.split('.').at(-1) ?? '';
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const path = join(place.path, name);
      const field = type.fields.get(name);
      if (field !== undefined) {
        return [[name, valueOf(inner, field.type, { path, field: join(place.field, name), owner }, findings)]];
      }
      if (name.startsWith('$')) return [[name, inner]];
      findings.unknown.push(path);
      return [];
    }),
  );
}

function valueOf(value: unknown, type: ValueType, place: Place, findings: Findings): unknown {
  if (value === null || value === undefined) return value;
  switch (type.kind) {
    case 'any':
      return value;
    case 'scalar':
      return scalarFits(value, type.scalar) ? value : mismatch(value, goType(type), place, findings);
    case 'map':
      if (!isJsonObject(value)) return mismatch(value, goType(type), place, findings);
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [
          key,
          key.startsWith('$')
            ? inner
            : valueOf(inner, type.values, { ...place, path: join(place.path, key) }, findings),
        ]),
      );
    case 'list':
      if (!Array.isArray(value)) return mismatch(value, goType(type), place, findings);
      return value.map((item: unknown, index) =>
        valueOf(item, type.items, { ...place, path: `${place.path}[${index}]` }, findings),
      );
    case 'object': {
      const known = apiType(type.name);
      return known === undefined ? value : objectOf(value, known, place, findings);
    }
  }
}

function mismatch(value: unknown, expected: string, { owner, field }: Place, { mismatches }: Findings): unknown {
  const where = owner === '' ? 'Go value' : `Go struct field ${owner}.${field}`;
  mismatches.push(`json: cannot unmarshal ${jsonType(value)} into ${where} of type ${expected}`);
  return value;
}

function scalarFits(value: unknown, scalar: Scalar): boolean {
  switch (scalar) {
    case 'boolean':
      return typeof value === 'boolean';
    case 'int32':
    case 'int64':
      return Number.isInteger(value);
    case 'double':
      return typeof value === 'number';
    case 'quantity':
    case 'int-or-string':
      return typeof value === 'string' || typeof value === 'number';
    default:
      return typeof value === 'string';
  }
}

const goScalars: Readonly<Record<Scalar, string>> = {
  string: 'string',
  boolean: 'bool',
  int32: 'int32',
  int64: 'int64',
  double: 'float64',
  byte: '[]uint8',
  'date-time': 'string',
  'micro-time': 'string',
  quantity: 'resource.Quantity',
  'int-or-string': 'intstr.IntOrString',
};

function goType(type: ValueType): string {
  switch (type.kind) {
    case 'any':
      return 'interface {}';
    case 'scalar':
      return goScalars[type.scalar];
    case 'map':
      return `map[string]${goType(type.values)}`;
    case 'list':
      return `[]${goType(type.items)}`;
    case 'object':
      return goObject(type.name);
  }
}

// Go names a type with its package, whose name is the version.
function goObject(name: string): string {
  return name.split('.').slice(1).join('.');
}

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'number' : `number ${value}`;
  return typeof value;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
