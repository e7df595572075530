import type { Pod } from '../objects.js';
import { fnv128a } from './fnv128a.js';

/** Where a static pod's manifest was read. */
export type ManifestOrigin = { readonly file: string; readonly nodeName: string } | { readonly url: string };

/**
 * UID of a static pod without one: 32 hex digits over the defaulted pod and its origin, the same as long as the manifest,
 * the node's name and the path stay the same. The order of keys in the manifest does not matter.
 * Upstream hashes a dump of its internal types, so the value itself differs from upstream's (and between its versions).
 */
export function staticPodUid(pod: Pod, origin: ManifestOrigin): string {
  const place = 'url' in origin ? `url:${origin.url}` : `host:${origin.nodeName}file:${origin.file}`;
  return fnv128a(Buffer.from(stableJson(pod) + place));
}

/** JSON with sorted keys. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([x], [y]) => (x < y ? -1 : x > y ? 1 : 0)))
      : item,
  );
}
