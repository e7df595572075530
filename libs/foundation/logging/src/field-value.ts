import { isError } from '@podwright/errors';
import { describeError } from './describe-error.js';

// Limits a line, because a runtime or a manifest can put any amount of text into a message.
const longestText = 16_384;

/** The name of a Kubernetes object, as klog's KObj. */
export interface ObjectName {
  readonly name: string;
  readonly namespace?: string;
}

/** The name when `value` is a Kubernetes object, else undefined. */
export function objectName(value: unknown): ObjectName | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const metadata = (value as { metadata?: unknown }).metadata;
  if (typeof metadata !== 'object' || metadata === null) return undefined;
  const { name, namespace } = metadata as { name?: unknown; namespace?: unknown };
  if (typeof name !== 'string') return undefined;
  return typeof namespace === 'string' && namespace !== '' ? { name, namespace } : { name };
}

/** `namespace/name`, or just the name of an object without a namespace. */
export function objectKey({ name, namespace }: ObjectName): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

export function shortened(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText)}... (${text.length} characters)`;
}

/** JSON of any value; values that JSON cannot represent become text. Never throws. */
export function toJson(value: unknown, ofObject: (name: ObjectName) => unknown): string {
  const replace = (_key: string, item: unknown): unknown => {
    if (typeof item === 'bigint' || typeof item === 'symbol' || typeof item === 'function') return String(item);
    if (typeof item === 'number' && !Number.isFinite(item)) return String(item);
    if (isError(item)) return describeError(item);
    if (item instanceof Map) return Object.fromEntries(item);
    if (item instanceof Set) return [...item];
    if (item instanceof Uint8Array) return Buffer.from(item).toString('base64');
    const name = objectName(item);
    return name === undefined ? (typeof item === 'string' ? shortened(item) : item) : ofObject(name);
  };
  try {
    const json = JSON.stringify(value, replace) ?? 'null';
    return json.length <= 2 * longestText ? json : JSON.stringify(shortened(json));
  } catch (error) {
    return JSON.stringify(`<not printable: ${describeError(error)}>`);
  }
}
