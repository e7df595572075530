import type { ApiObject } from '../api-object.js';

const type = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' } as const;

/** The PartialObjectMetadata of an object. */
export function partialMetadata({ metadata }: ApiObject): unknown {
  return { ...type, metadata };
}

/** The PartialObjectMetadataList of a list. Its items have a kind and apiVersion. */
export function partialMetadataList(list: ApiObject): unknown {
  const items = (list.items ?? []) as readonly ApiObject[];
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: type.apiVersion,
    metadata: list.metadata,
    items: items.map(partialMetadata),
  };
}
