import { messageFields } from './message-fields.js';
import { wireFields, type WireField } from './wire-fields.js';

/**
 * Decodes a protobuf message of the API to its JSON form. Go also writes fields without a value: empty texts and times
 * are dropped, but zero numbers and booleans stay, because they may be meant. Fields of Go's embedded structs are
 * merged into their parent.
 * @throws RangeError for a malformed message.
 */
export function decodeMessage(message: string, bytes: Uint8Array): unknown {
  const special = specialMessages[message];
  if (special !== undefined) return special(wireFields(bytes));
  const fields = messageFields(message);
  if (fields === undefined) throw new RangeError(`no message ${message}`);
  const object: Record<string, unknown> = {};
  for (const { number, value } of wireFields(bytes)) {
    const field = fields.byNumber.get(number);
    if (field === undefined) continue;
    const { name, container, type } = field;
    if (container === '^') Object.assign(object, decodeMessage(type, bytesOf(value)));
    else if (container === '[]') ((object[name] ??= []) as unknown[]).push(decodeValue(type, value));
    else if (container === '{}') object[name] = { ...(object[name] as object), ...mapEntry(type, bytesOf(value)) };
    else {
      const decoded = decodeValue(type, value);
      if (decoded !== '' && decoded !== undefined) object[name] = decoded;
    }
  }
  return object;
}

function decodeValue(type: string, value: WireField['value']): unknown {
  switch (type) {
    case 'string':
      return new TextDecoder().decode(bytesOf(value));
    case 'bytes':
      return Buffer.from(bytesOf(value)).toString('base64');
    case 'bool':
      return value === 1;
    case 'int32':
    case 'int64':
    case 'double':
      return value;
    default:
      return decodeMessage(type, bytesOf(value));
  }
}

function mapEntry(type: string, bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const fields = new Map(wireFields(bytes).map(({ number, value }) => [number, value]));
  const key = String(decodeValue('string', fields.get(1) ?? empty));
  // Not an assignment: a key may be `__proto__`.
  return Object.fromEntries([[key, decodeValue(type, fields.get(2) ?? (isNumeric(type) ? 0 : empty))]]);
}

const empty = new Uint8Array();

function isNumeric(type: string): boolean {
  return ['bool', 'int32', 'int64', 'double'].includes(type);
}

function bytesOf(value: WireField['value'] | undefined): Uint8Array {
  return value instanceof Uint8Array ? value : empty;
}

type Special = (fields: readonly WireField[]) => unknown;

const first = (fields: readonly WireField[], number: number): WireField['value'] | undefined =>
  fields.find((field) => field.number === number)?.value;
const text = (fields: readonly WireField[], number: number): string =>
  new TextDecoder().decode(bytesOf(first(fields, number)));
const list: Special = (fields) => fields.map(({ value }) => new TextDecoder().decode(bytesOf(value)));

const time =
  (fractionDigits: number): Special =>
  (fields) => {
    if (fields.length === 0) return undefined;
    const seconds = Number(first(fields, 1) ?? 0);
    const iso = new Date(seconds * 1_000).toISOString().slice(0, 19);
    const nanos = String(first(fields, 2) ?? 0).padStart(9, '0');
    return `${iso}${fractionDigits === 0 ? '' : `.${nanos.slice(0, fractionDigits)}`}Z`;
  };

const rawJson: Special = (fields) => {
  const raw = text(fields, 1);
  if (raw === '') return undefined;
  try {
    return JSON.parse(raw) as unknown;
  } catch (error) {
    throw new RangeError('a field of JSON has none', { cause: error });
  }
};

/** Decoders of messages whose JSON has another shape. */
const specialMessages: Readonly<Record<string, Special>> = {
  'meta.v1.Time': time(0),
  'meta.v1.MicroTime': time(6),
  'meta.v1.FieldsV1': rawJson,
  'runtime.RawExtension': rawJson,
  'api.resource.Quantity': (fields) => text(fields, 1),
  'util.intstr.IntOrString': (fields) => (first(fields, 1) === 1 ? text(fields, 3) : Number(first(fields, 2) ?? 0)),
  'authentication.v1.ExtraValue': list,
  'authorization.v1.ExtraValue': list,
  'certificates.v1.ExtraValue': list,
  'certificates.v1beta1.ExtraValue': list,
};
