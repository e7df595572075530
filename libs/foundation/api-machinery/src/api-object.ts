import type { ObjectMeta } from '@podwright/kube-types';

/** Any object of the API as the server stores it: plain JSON, immutable once it is stored. */
export interface ApiObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/** A stored object of a known type. */
export type Stored<T> = T & ApiObject;
