import { KubeletError, messageOf } from '@podwright/errors';
import { downwardResource, podMetadataField } from '@podwright/kube-types';
import type { Pod, Volume } from '@podwright/kube-types';
import type { VolumePlugin } from '@podwright/volume-interface';
import { createApiDataPlugin } from './api-data-mounter.js';
import type { ApiDataDeps } from './api-data-mounter.js';
import { cleanPath } from './payload.js';
import type { FileProjection, Payload } from './payload.js';

type DownwardApiItem = NonNullable<NonNullable<Volume['downwardAPI']>['items']>[number];

/** Quantities by name that stand for missing limits; throws as long as the node is not known. */
export type NodeAllocatable = () => Readonly<Record<string, string>>;

/** Files with fields of the pod. Source: kubernetes v1.36 pkg/volume/downwardapi. */
export function createDownwardApiPlugin(deps: ApiDataDeps, nodeAllocatable: NodeAllocatable): VolumePlugin {
  return createApiDataPlugin(
    {
      name: 'kubernetes.io/downward-api',
      medium: 'Memory',
      canSupport: (volume) => volume.downwardAPI !== undefined,
      collect: async ({ volume, pod }) => {
        const { items, defaultMode } = volume.downwardAPI ?? {};
        return collectDownwardApi(items ?? [], pod, defaultMode, nodeAllocatable);
      },
    },
    deps,
  );
}

/**
 * The files of a downwardAPI volume or projection; a later item replaces an earlier one of the same path. Modes are
 * those of the items, else the default one.
 * @throws KubeletError with the texts of all items that have no value.
 */
export function collectDownwardApi(
  items: readonly DownwardApiItem[],
  pod: Pod,
  defaultMode: number | undefined,
  nodeAllocatable: NodeAllocatable,
): Payload {
  if (defaultMode === undefined) {
    throw new KubeletError('no defaultMode used, not even the default value for it', { code: 'invalid-argument' });
  }
  const files = new Map<string, FileProjection>();
  const faults = new Set<string>();
  for (const item of items) {
    try {
      const data = Buffer.from(valueOf(item, pod, nodeAllocatable));
      files.set(cleanPath(item.path), { data, mode: item.mode ?? defaultMode });
    } catch (error) {
      faults.add(messageOf(error));
    }
  }
  if (faults.size === 0) return files;
  // As Go shows an aggregate.
  const message = faults.size === 1 ? [...faults].join() : `[${[...faults].join(', ')}]`;
  throw new KubeletError(message, { code: 'failed-precondition' });
}

function valueOf({ fieldRef, resourceFieldRef }: DownwardApiItem, pod: Pod, nodeAllocatable: NodeAllocatable): string {
  if (fieldRef !== undefined) return podMetadataField(pod, fieldRef.fieldPath);
  if (resourceFieldRef !== undefined) return downwardResource(pod, undefined, resourceFieldRef, nodeAllocatable());
  return '';
}
