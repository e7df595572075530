import type { ApiObject } from '@podwright/api-machinery';
import { deepEqual } from '@podwright/kube-types';
import type { ResourceStrategy, UpdateStrategy } from './resource-strategy.js';

/** An update through the status endpoint: changes only the status, and the metadata except its deletion fields. */
export const statusUpdate: UpdateStrategy = {
  prepare: (next, old) => ({
    ...old,
    metadata: { ...next.metadata, ...keptMetadata(old) },
    ...('status' in next ? { status: next.status } : {}),
  }),
};

function keptMetadata(old: ApiObject): Partial<ApiObject['metadata']> {
  const { deletionTimestamp, deletionGracePeriodSeconds } = old.metadata;
  return {
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    ...(deletionGracePeriodSeconds !== undefined && { deletionGracePeriodSeconds }),
  };
}

/** An update through the main endpoint of a resource with a status: does not change the status. */
export const specUpdate: UpdateStrategy = {
  prepare: (next, old) => withGeneration({ ...next, status: old.status }, old),
};

/**
 * A resource with spec and status. Only the status endpoint changes the status; a change of the spec raises the
 * generation.
 */
export const specAndStatus: ResourceStrategy = {
  prepareCreate: (object) => {
    const { status: _status, ...rest } = object;
    return { ...rest, metadata: { ...object.metadata, generation: 1 }, status: {} };
  },
  update: specUpdate,
  subresources: { status: statusUpdate },
  unconditionalUpdate: true,
};

/** A resource without a status, such as a config map. */
export const plainObject: ResourceStrategy = { unconditionalUpdate: true };

/** Raises `metadata.generation` when the spec has changed. */
export function withGeneration(next: ApiObject, old: ApiObject): ApiObject {
  const { generation } = old.metadata;
  const changed = !deepEqual(next.spec, old.spec);
  const risen = changed ? (generation ?? 0) + 1 : generation;
  return { ...next, metadata: { ...next.metadata, ...(risen !== undefined && { generation: risen }) } };
}
