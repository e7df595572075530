import { apiType, type ApiType, type ListType, type Scalar, type ValueType } from './api-type.js';

/** The OpenAPI schema of one value or type, as JSON. */
export type Schema = Readonly<Record<string, unknown>>;

/** Where a document has its schemas, in version 3 and version 2. */
export type SchemaPlace = '#/components/schemas/' | '#/definitions/';

const scalars: Readonly<Record<Scalar, Schema>> = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  byte: { type: 'string', format: 'byte' },
  'date-time': { type: 'string', format: 'date-time' },
  'micro-time': { type: 'string', format: 'date-time' },
  quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  'int-or-string': { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
};
// Version 2 has no alternatives (`oneOf`).
const plainScalars: Readonly<Record<string, Schema>> = {
  quantity: { type: 'string' },
  'int-or-string': { type: 'string', format: 'int-or-string' },
};

/** The name of a type such as `core.v1.Pod` in upstream's documents. */
export function schemaName(typeName: string): string {
  return typeName.startsWith('meta.') ? `io.k8s.apimachinery.pkg.apis.${typeName}` : `io.k8s.api.${typeName}`;
}

/** The schemas of the types and of all types that they contain, without descriptions. */
export function schemasOf(
  typeNames: readonly string[],
  place: SchemaPlace,
  kinds: ReadonlyMap<string, readonly Schema[]>,
): Readonly<Record<string, Schema>> {
  const schemas = new Map<string, Schema>();
  const waiting = [...typeNames];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const type = apiType(name);
    if (type === undefined || schemas.has(schemaName(name))) continue;
    const gvks = kinds.get(name);
    schemas.set(schemaName(name), {
      ...typeSchema(type, place, (used) => waiting.push(used)),
      ...(gvks !== undefined && { 'x-kubernetes-group-version-kind': gvks }),
    });
  }
  return Object.fromEntries([...schemas].sort(([left], [right]) => (left < right ? -1 : 1)));
}

function typeSchema(type: ApiType, place: SchemaPlace, uses: (name: string) => void): Schema {
  const fields = [...type.fields.values()];
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(fields.map((field) => [field.name, valueSchema(field.type, place, uses)])),
  };
}

function valueSchema(type: ValueType, place: SchemaPlace, uses: (name: string) => void): Schema {
  switch (type.kind) {
    case 'any':
      return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    case 'scalar':
      return (place === '#/definitions/' ? plainScalars[type.scalar] : undefined) ?? scalars[type.scalar];
    case 'map':
      return { type: 'object', additionalProperties: valueSchema(type.values, place, uses) };
    case 'list':
      return { type: 'array', items: valueSchema(type.items, place, uses), ...listExtensions(type) };
    case 'object': {
      uses(type.name);
      const reference = { $ref: place + schemaName(type.name) };
      // In version 3, a reference may not have sibling fields.
      const wrapped = place === '#/definitions/' ? reference : { allOf: [reference], default: {} };
      return { ...wrapped, ...(type.atomic && { 'x-kubernetes-map-type': 'atomic' }) };
    }
  }
}

function listExtensions({ patchMergeKey, retainKeys, mapKeys }: ListType): Schema {
  return {
    ...(patchMergeKey !== undefined && { 'x-kubernetes-patch-strategy': retainKeys ? 'merge,retainKeys' : 'merge' }),
    ...(patchMergeKey !== undefined && patchMergeKey !== '' && { 'x-kubernetes-patch-merge-key': patchMergeKey }),
    'x-kubernetes-list-type': mapKeys === undefined ? 'atomic' : mapKeys.length > 0 ? 'map' : 'set',
    ...(mapKeys !== undefined && mapKeys.length > 0 && { 'x-kubernetes-list-map-keys': mapKeys }),
  };
}
