import type { JsonObject, ObjectMeta } from '@podwright/kube-types';

/** An object as the API shows it. */
export type ApiObject = JsonObject & {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
};

export interface ObjectList {
  readonly metadata?: { readonly resourceVersion?: string };
  readonly items: readonly ApiObject[];
}

/** A type of objects that the API serves. */
export interface Resource {
  readonly plural: 'pods' | 'configmaps' | 'secrets' | 'nodes' | 'events';
  readonly kind: 'Pod' | 'ConfigMap' | 'Secret' | 'Node' | 'Event';
  readonly namespaced: boolean;
  /** Other names that a user may type, in lower case. */
  readonly aliases: readonly string[];
}

const of = (
  plural: Resource['plural'],
  kind: Resource['kind'],
  short: readonly string[],
  namespaced = true,
): Resource => ({ plural, kind, namespaced, aliases: [plural, kind.toLowerCase(), ...short] });

export const pods = of('pods', 'Pod', ['po']);
export const configMaps = of('configmaps', 'ConfigMap', ['cm']);
export const secrets = of('secrets', 'Secret', []);
export const nodes = of('nodes', 'Node', ['no'], false);
export const events = of('events', 'Event', ['ev']);

export const resources: readonly Resource[] = [pods, configMaps, secrets, nodes, events];
/** What can be put, and what `all` means. */
export const storedResources: readonly Resource[] = [pods, configMaps, secrets];

/** The path of the resource's collection, or of one object. Without a namespace, all namespaces. */
export function resourcePath(resource: Resource, namespace: string | undefined, name?: string): string {
  const scope = resource.namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `/api/v1${scope}/${resource.plural}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`;
}
