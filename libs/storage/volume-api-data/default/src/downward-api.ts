import { downwardResource, podMetadataField } from '@podwright/kube-types';
import type { Pod, Volume } from '@podwright/kube-types';
import type { VolumePlugin } from '@podwright/volume-interface';
import { createApiDataPlugin } from './api-data-mounter.js';
import type { ApiDataDeps } from './api-data-mounter.js';
import { Failures } from './failures.js';
import { requiredMode } from './object-files.js';
import { cleanPath } from './payload.js';
import type { FileProjection, Payload } from './payload.js';

type DownwardApiItem = NonNullable<NonNullable<Volume['downwardAPI']>['items']>[number];

/** Quantities by name that replace missing limits; throws until the node is known. */
export type NodeAllocatable = () => Readonly<Record<string, string>>;

/** Volumes with fields of the pod. Source: kubernetes v1.36 pkg/volume/downwardapi. */
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
 * The files of a downwardAPI volume or projection; a later item replaces an earlier one with the same path. An item
 * without a mode gets the default mode.
 * @throws KubeletError with the texts of all items that have no value.
 */
export function collectDownwardApi(
  items: readonly DownwardApiItem[],
  pod: Pod,
  defaultMode: number | undefined,
  nodeAllocatable: NodeAllocatable,
): Payload {
  const usualMode = requiredMode(defaultMode);
  const files = new Map<string, FileProjection>();
  const failures = new Failures();
  for (const item of items) {
    try {
      const data = Buffer.from(valueOf(item, pod, nodeAllocatable));
      files.set(cleanPath(item.path), { data, mode: item.mode ?? usualMode });
    } catch (error) {
      failures.add(error);
    }
  }
  failures.throwIfAny();
  return files;
}

function valueOf({ fieldRef, resourceFieldRef }: DownwardApiItem, pod: Pod, nodeAllocatable: NodeAllocatable): string {
  if (fieldRef !== undefined) return podMetadataField(pod, fieldRef.fieldPath);
  if (resourceFieldRef !== undefined) return downwardResource(pod, undefined, resourceFieldRef, nodeAllocatable());
  return '';
}
