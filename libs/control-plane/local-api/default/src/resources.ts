import type { LocalObjectKind } from '@podwright/local-objects-interface';

/** A resource of the local API; all are in the core group, `v1`. */
export interface LocalResource {
  readonly group: '';
  readonly plural: string;
  readonly kind: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** The kind in the store; undefined for what can only be read. */
  readonly stored: LocalObjectKind | undefined;
}

const objectVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const readVerbs = ['get', 'list'];

const resource = (
  plural: string,
  kind: string,
  shortNames: readonly string[],
  stored: LocalObjectKind | undefined,
  namespaced = true,
): LocalResource => ({
  ...{ group: '', plural, kind, singular: kind.toLowerCase(), shortNames, namespaced, stored },
  verbs: stored === undefined ? readVerbs : objectVerbs,
});

export const localResources: readonly LocalResource[] = [
  resource('configmaps', 'ConfigMap', ['cm'], 'ConfigMap'),
  resource('events', 'Event', ['ev'], undefined),
  resource('nodes', 'Node', ['no'], undefined, false),
  resource('pods', 'Pod', ['po'], 'Pod'),
  resource('secrets', 'Secret', [], 'Secret'),
];

/** A resource whose objects are in the store. */
export type StoredResource = LocalResource & { readonly stored: LocalObjectKind };

export const isStored = (given: LocalResource): given is StoredResource => given.stored !== undefined;

export const podResource = localResources.find(({ plural }) => plural === 'pods') as StoredResource;

/** The subresources of pods and their methods. */
export const podSubresources: Readonly<Record<string, readonly string[]>> = {
  status: ['GET'],
  log: ['GET'],
  exec: ['GET', 'POST'],
  attach: ['GET', 'POST'],
  portforward: ['GET', 'POST'],
};
