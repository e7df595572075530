import { isJsonObject } from '@podwright/kube-types';
import { sortedKeys } from './sorted-keys.js';
import { yamlScalar } from './yaml-scalar.js';

/** An object as kubectl prints it: sorted keys, and lists at the indentation of their key. */
export function objectYaml(object: unknown): string {
  return `${nested(sortedKeys(object), 0) ?? inline(object, 0, 0)}\n`;
}

/** The lines of a map or list that has entries; the first one is not indented, because it may follow `- `. */
function nested(value: unknown, indent: number): string | undefined {
  const margin = `\n${' '.repeat(indent)}`;
  if (Array.isArray(value)) {
    const items = value.map((item) => `- ${nested(item, indent + 2) ?? inline(item, indent + 2, indent + 2)}`);
    return items.length === 0 ? undefined : items.join(margin);
  }
  if (!isJsonObject(value)) return undefined;
  const entries = Object.entries(value).map(([key, below]) => {
    const name = `${yamlScalar(key)}:`;
    const deeper = Array.isArray(below) ? indent : indent + 2;
    const lines = nested(below, deeper);
    if (lines !== undefined) return `${name}\n${' '.repeat(deeper)}${lines}`;
    return `${name} ${inline(below, indent + 2, indent + name.length + 1)}`;
  });
  return entries.length === 0 ? undefined : entries.join(margin);
}

function inline(value: unknown, indent: number, column: number): string {
  if (Array.isArray(value)) return '[]';
  return isJsonObject(value) ? '{}' : yamlScalar(value, { indent, column });
}
