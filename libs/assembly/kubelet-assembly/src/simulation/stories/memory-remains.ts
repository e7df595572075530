import { namesPod } from './names-pod.js';

/**
 * Where objects that can be reached from `roots` name one of these pods: paths such as `pod-workers.lanes{UID}`, one
 * for each place. Sees what objects, maps, sets and lists have, and nothing of closures. `strangers` are not entered.
 */
export function mentionsIn(
  roots: Iterable<readonly [string, unknown]>,
  wanted: ReadonlySet<string>,
  strangers: Iterable<object> = [],
): readonly string[] {
  const seen = new Set<object>(strangers);
  const found = new Set<string>();
  const queue: (readonly [value: unknown, path: string])[] = [...roots].map(([name, value]) => [value, name]);
  for (let next = 0; next < queue.length; next++) {
    const [value, path] = queue[next]!;
    if (typeof value === 'string') {
      if (namesPod(value, wanted)) found.add(path);
      continue;
    }
    if (typeof value !== 'object' || value === null || seen.has(value) || ArrayBuffer.isView(value)) continue;
    seen.add(value);
    if (value instanceof Map) {
      for (const [key, each] of value as ReadonlyMap<unknown, unknown>) {
        queue.push([key, `${path}{key}`], [each, `${path}{}`]);
      }
    } else if (value instanceof Set || Array.isArray(value)) {
      for (const each of value) queue.push([each, `${path}[]`]);
    }
    for (const key of Object.keys(value)) {
      if (Array.isArray(value)) break;
      if (namesPod(key, wanted)) found.add(`${path}{key}`);
      const field = Object.getOwnPropertyDescriptor(value, key);
      if (field !== undefined && 'value' in field) queue.push([field.value, `${path}.${key}`]);
    }
  }
  return [...found];
}
