import { computed, signal } from '@preact/signals';

export type Route =
  | { readonly view: 'node' | 'pods' | 'cgroups' | 'images' | 'journal' }
  | { readonly view: 'pod'; readonly namespace: string; readonly name: string; readonly uid?: string };

const hash = signal(location.hash);
window.addEventListener('hashchange', () => {
  hash.value = location.hash;
});

export const route = computed((): Route => parse(hash.value));
/** What comes after `?` in the hash. */
export const query = computed(() => new URLSearchParams(hash.value.split('?')[1] ?? ''));

const simple = ['pods', 'cgroups', 'images', 'journal'] as const;

function parse(text: string): Route {
  const [view, namespace, name] = (text.replace(/^#\/?/, '').split('?')[0] ?? '').split('/').map(decoded);
  if (view === 'pods' && namespace !== undefined && name !== undefined) {
    const uid = new URLSearchParams(text.split('?')[1] ?? '').get('uid');
    return { view: 'pod', namespace, name, ...(uid === null ? {} : { uid }) };
  }
  return { view: simple.find((each) => each === view) ?? 'node' };
}

/** A hash that somebody typed may not be encoded. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function podHref({
  namespace,
  name,
  uid,
}: {
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
}): string {
  const path = `#/pods/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`;
  return uid === undefined ? path : `${path}?uid=${encodeURIComponent(uid)}`;
}
