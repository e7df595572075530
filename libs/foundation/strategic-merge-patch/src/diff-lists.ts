import { KubeletError } from '@podwright/errors';
import { isJsonObject, type JsonObject } from '@podwright/kube-types';
import { sameJson } from './json-value.js';
import { patchDirectives } from './patch-schema.js';

/** The parts of a patch for a merged list; all empty when nothing changed. */
export interface ListDifference {
  /** Added and changed items, then `$patch: delete` for removed objects. */
  readonly changes: readonly unknown[];
  /** Removed scalars. */
  readonly deletions: readonly unknown[];
  /** All items in their new order: objects by their merge keys, scalars themselves. */
  readonly order: readonly unknown[];
}

/** Compares two merged lists. Source: kubernetes v1.36 apimachinery/pkg/util/strategicpatch/patch.go, diffLists. */
export function diffLists(
  original: readonly unknown[],
  modified: readonly unknown[],
  diffItems: (original: JsonObject, modified: JsonObject) => JsonObject,
  mergeKey: string | undefined,
): ListDifference {
  if (original.length === 0) return { changes: modified, deletions: [], order: [] };
  if (mergeKey === undefined) return diffScalars(original, modified);
  return diffObjectsOfLists(keyed(original, mergeKey), keyed(modified, mergeKey), diffItems, mergeKey);
}

interface KeyedItem {
  readonly key: unknown;
  /** The key as text, by which upstream compares keys. */
  readonly text: string;
  readonly item: JsonObject;
}

function keyed(items: readonly unknown[], mergeKey: string): readonly KeyedItem[] {
  return items.map((item) => {
    const key = isJsonObject(item) ? item[mergeKey] : undefined;
    if (key !== undefined) return { key, text: String(key), item: item as JsonObject };
    const message = `map: ${JSON.stringify(item)} does not contain declared merge key: ${mergeKey}`;
    throw new KubeletError(message, { code: 'invalid-argument' });
  });
}

function diffObjectsOfLists(
  original: readonly KeyedItem[],
  modified: readonly KeyedItem[],
  diffItems: (original: JsonObject, modified: JsonObject) => JsonObject,
  mergeKey: string,
): ListDifference {
  const before = new Map(original.map((entry) => [entry.text, entry]));
  const after = new Set(modified.map(({ text }) => text));
  const changes: JsonObject[] = [];
  for (const { key, text, item } of modified) {
    const old = before.get(text);
    if (old?.item === item) continue;
    const change = old === undefined ? item : diffItems(old.item, item);
    if (old === undefined) changes.push(item);
    else if (Object.keys(change).length > 0) changes.push({ ...change, [mergeKey]: key });
  }
  const gone = [...before.values()].filter(({ text }) => !after.has(text)).sort(byText);
  for (const { key } of gone) changes.push({ [patchDirectives.patch]: 'delete', [mergeKey]: key });
  const sameOrder =
    original.length === modified.length && original.every(({ text }, index) => text === modified[index]?.text);
  const order = changes.length > 0 || !sameOrder ? modified.map(({ key }) => ({ [mergeKey]: key })) : [];
  return { changes, deletions: [], order };
}

function diffScalars(original: readonly unknown[], modified: readonly unknown[]): ListDifference {
  if (sameJson(original, modified)) return { changes: [], deletions: [], order: [] };
  const before = new Set(original);
  const after = new Set(modified);
  return {
    changes: modified.filter((item) => !before.has(item)),
    deletions: [...before]
      .filter((item) => !after.has(item))
      .sort((a, b) => byText({ text: String(a) }, { text: String(b) })),
    order: modified,
  };
}

function byText(a: { readonly text: string }, b: { readonly text: string }): number {
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
}
