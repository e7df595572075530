import protobuf from 'protobufjs';

/** TypeScript type name of a message or enum, as the types generator writes it: nested names joined by `_`. */
export function messageName(type: protobuf.Type | protobuf.Enum): string {
  return type.parent instanceof protobuf.Type ? `${messageName(type.parent)}_${type.name}` : type.name;
}

/** TypeScript field name: `pod_sandbox_id` becomes `podSandboxId`; a name without underscore stays. */
export function camelCase(name: string): string {
  return name.replace(/_+(.)/g, (_, letter: string) => letter.toUpperCase());
}

const varint = 0;
const fixed64 = 1;
const lengthDelimited = 2;

interface Scalar {
  readonly wire: number;
  /** Name of the method on reader and writer. */
  readonly method: string;
  readonly zero: string;
}

const scalars: Readonly<Record<string, Scalar>> = {
  string: { wire: lengthDelimited, method: 'string', zero: "''" },
  bytes: { wire: lengthDelimited, method: 'bytes', zero: 'emptyBytes' },
  bool: { wire: varint, method: 'bool', zero: 'false' },
  int32: { wire: varint, method: 'int32', zero: '0' },
  uint32: { wire: varint, method: 'uint32', zero: '0' },
  int64: { wire: varint, method: 'int64', zero: '0n' },
  uint64: { wire: varint, method: 'uint64', zero: '0n' },
  double: { wire: fixed64, method: 'double', zero: '0' },
};

function scalarOf(field: protobuf.Field): Scalar {
  if (field.resolvedType instanceof protobuf.Enum) return { wire: varint, method: 'int32', zero: '0' };
  const scalar = scalars[field.type];
  if (scalar === undefined || (field.partOf && !isOptional(field)))
    throw new Error(`${field.fullName}: ${field.type} is not supported yet`);
  return scalar;
}

/** `optional` in proto3 distinguishes zero from unset; the parser represents it as a oneof of its own. */
const isOptional = (field: protobuf.Field): boolean => field.partOf?.isProto3Optional === true;

/** What a map holds by string; undefined when the field is no map. */
function mapValue(field: protobuf.Field): 'string' | protobuf.Type | undefined {
  if (!(field instanceof protobuf.MapField)) return undefined;
  if (field.keyType === 'string' && field.type === 'string') return 'string';
  if (field.keyType === 'string' && field.resolvedType instanceof protobuf.Type) return field.resolvedType;
  throw new Error(`${field.fullName}: only maps of strings and messages by string are supported yet`);
}
const tagOf = (field: protobuf.Field, wire: number): number => ((field.id << 3) | wire) >>> 0;
const fieldsOf = (type: protobuf.Type): protobuf.Field[] => [...type.fieldsArray].sort((a, b) => a.id - b.id);

export function encodeFunction(type: protobuf.Type): string {
  const name = messageName(type);
  const statements = fieldsOf(type).map((field) => `  ${encodeField(field, `m.${camelCase(field.name)}`)}`);
  const [w, m] = statements.length === 0 ? ['_w', '_m'] : ['w', 'm'];
  return [`function encode${name}(${w}: Writer, ${m}: DeepPartial<t.${name}>): void {`, ...statements, '}'].join('\n');
}

function encodeField(field: protobuf.Field, value: string): string {
  const message = tagOf(field, lengthDelimited);
  const map = mapValue(field);
  if (map === 'string') return `if (${value}) w.stringMap(${message}, ${value});`;
  if (map !== undefined) return `if (${value}) w.messageMap(${message}, ${value}, encode${messageName(map)});`;
  if (field.resolvedType instanceof protobuf.Type) {
    const encode = `encode${messageName(field.resolvedType)}`;
    const each = (item: string): string => `{ const at = w.open(${message}); ${encode}(w, ${item}); w.close(at); }`;
    return field.repeated ? `if (${value}) for (const v of ${value}) ${each('v')}` : `if (${value}) ${each(value)}`;
  }
  const { wire, method } = scalarOf(field);
  const condition = isOptional(field) ? `${value} !== undefined` : value;
  if (!field.repeated) return `if (${condition}) w.${method}(${tagOf(field, wire)}, ${value});`;
  if (wire === lengthDelimited) return `if (${value}) for (const v of ${value}) w.${method}(${message}, v);`;
  // proto3 packs repeated numbers.
  return `if (${value}?.length) { const at = w.open(${message}); for (const v of ${value}) w.${method}(0, v); w.close(at); }`;
}

export function decodeFunction(type: protobuf.Type): string {
  const name = messageName(type);
  const fields = fieldsOf(type);
  const initial = fields.map((field) => `    ${camelCase(field.name)}: ${zeroOf(field)},`);
  const cases = fields.flatMap((field) => decodeCases(field, `m.${camelCase(field.name)}`));
  return [
    `function decode${name}(r: Reader, end: number): t.${name} {`,
    `  const m: t.${name} = {`,
    ...initial,
    '  };',
    '  while (r.pos < end) {',
    '    const tag = r.tag();',
    '    switch (tag) {',
    ...cases.map((line) => `      ${line}`),
    '      default: r.skip(tag);',
    '    }',
    '  }',
    '  r.close(end);',
    '  return m;',
    '}',
  ].join('\n');
}

function zeroOf(field: protobuf.Field): string {
  if (mapValue(field) !== undefined) return '{}';
  if (field.repeated) return '[]';
  return field.resolvedType instanceof protobuf.Type || isOptional(field) ? 'undefined' : scalarOf(field).zero;
}

function decodeCases(field: protobuf.Field, target: string): string[] {
  const message = tagOf(field, lengthDelimited);
  const map = mapValue(field);
  if (map === 'string') return [`case ${message}: r.stringMap(${message}, end, ${target}); break;`];
  if (map !== undefined) return [`case ${message}: r.messageEntry(${target}, decode${messageName(map)}); break;`];
  if (field.resolvedType instanceof protobuf.Type) {
    const value = `decode${messageName(field.resolvedType)}(r, r.open())`;
    return [`case ${message}: ${field.repeated ? `${target}.push(${value})` : `${target} = ${value}`}; break;`];
  }
  const { wire, method } = scalarOf(field);
  const cast = field.resolvedType instanceof protobuf.Enum ? ` as t.${messageName(field.resolvedType)}` : '';
  const value = `r.${method}()${cast}`;
  if (!field.repeated) return [`case ${tagOf(field, wire)}: ${target} = ${value}; break;`];
  const single = `case ${tagOf(field, wire)}: ${target}.push(${value}); break;`;
  if (wire === lengthDelimited) return [single];
  // A reader must accept both the packed and the unpacked form.
  return [single, `case ${message}: for (const last = r.open(); r.pos < last; ) ${target}.push(${value}); break;`];
}
