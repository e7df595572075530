import type { Schema, SourceObject, SourceValue } from '@podwright/pod-manifest';
import { isSourceObject } from '@podwright/pod-manifest';

/**
 * Corrects the case of field names, because Go's encoding/json matches them in any case when it reads the merged
 * drop-ins. Of several spellings the last in alphabetical order counts, because Go writes the merged object in that
 * order.
 */
export function foldKeys(value: SourceValue, schema: Schema): SourceValue {
  if (schema.kind === 'list' && Array.isArray(value)) {
    return (value as readonly SourceValue[]).map((item) => foldKeys(item, schema.item));
  }
  if (schema.kind !== 'object' || !isSourceObject(value)) return value;
  const names = new Map(Object.keys(schema.fields).map((name) => [name.toLowerCase(), name]));
  const result = Object.create(null) as Record<string, SourceValue>;
  for (const [key, item] of sortedEntries(value)) {
    const name = names.get(key.toLowerCase()) ?? key;
    const field = Object.hasOwn(schema.fields, name) ? schema.fields[name] : undefined;
    result[name] = field === undefined ? item : foldKeys(item, field);
  }
  return result;
}

function sortedEntries(value: SourceObject): readonly (readonly [string, SourceValue])[] {
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}
