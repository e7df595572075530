import { goMap } from '../go-text/go-json.js';
import { isJsonObject } from '../json.js';
import type { Pod } from '../objects.js';
import { fnv1a128 } from '../hash/fnv.js';

/** Where a static pod's manifest comes from. */
export type ManifestOrigin = { readonly file: string; readonly nodeName: string } | { readonly url: string };

/**
 * Computes the UID of a static pod whose manifest sets none: 32 hex digits, a hash of the defaulted pod and its origin.
 * It stays the same as long as the manifest, the node's name and the path or URL do; the order of keys does not matter.
 * Upstream hashes a dump of its internal types, so its UID differs from this one (and between its versions).
 */
export function staticPodUid(pod: Pod, origin: ManifestOrigin): string {
  const place = 'url' in origin ? `url:${origin.url}` : `host:${origin.nodeName}file:${origin.file}`;
  return fnv1a128(Buffer.from(stableJson(pod) + place));
}

/** JSON with sorted keys. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => (isJsonObject(item) ? goMap(Object.entries(item)) : item));
}
