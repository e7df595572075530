import type { ApiObject } from '../api-object.js';

const type = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' } as const;

/** The object with nothing but its metadata. */
export function partialMetadata({ metadata }: ApiObject): unknown {
  return { ...type, metadata };
}

/** A list of such; the items say their type. */
export function partialMetadataList(list: ApiObject): unknown {
  const items = (list.items ?? []) as readonly ApiObject[];
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: type.apiVersion,
    metadata: list.metadata,
    items: items.map(partialMetadata),
  };
}
