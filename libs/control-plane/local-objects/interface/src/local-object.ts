import type { ConfigMap, Pod, Secret } from '@podwright/kube-types';

/** The kinds of objects, and their types. */
export interface LocalObjectTypes {
  readonly Pod: Pod;
  readonly ConfigMap: ConfigMap;
  readonly Secret: Secret;
}

export type LocalObjectKind = keyof LocalObjectTypes;
export type LocalObjectOf<K extends LocalObjectKind> = LocalObjectTypes[K];
export type LocalObject = LocalObjectOf<LocalObjectKind>;

/** The word for a kind in paths and messages, as the API server's: `pods`, `configmaps`, `secrets`. */
export const localObjectPlurals: Readonly<Record<LocalObjectKind, string>> = {
  Pod: 'pods',
  ConfigMap: 'configmaps',
  Secret: 'secrets',
};

export const localObjectKinds: readonly LocalObjectKind[] = ['Pod', 'ConfigMap', 'Secret'];

/** One change of one object. `kind` tells the type of `object`. */
export type LocalObjectChange<K extends LocalObjectKind = LocalObjectKind> = {
  readonly [Kind in K]: {
    readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
    readonly kind: Kind;
    /** As it is now; for `DELETED` as it was last, with the version of the deletion, as the API server sends it. */
    readonly object: LocalObjectOf<Kind>;
    /** As it was before; absent for `ADDED`. */
    readonly previous?: LocalObjectOf<Kind>;
    /** The version of the change, which is also the object's. */
    readonly resourceVersion: string;
  };
}[K];
