import { KubeletError, messageOf } from '@podwright/errors';
import type { NodeSource } from '@podwright/node-status-interface';
import type { VolumePlugin } from '@podwright/volume-interface';
import type { ApiDataDeps } from './api-data-mounter.js';
import { createConfigMapPlugin } from './config-map-volume.js';
import { createDownwardApiPlugin } from './downward-api.js';
import { createProjectedPlugin, type ProjectedSources } from './projected-volume.js';
import { createSecretPlugin } from './secret-volume.js';

export interface ApiDataVolumeDeps extends ApiDataDeps, Omit<ProjectedSources, 'nodeAllocatable'> {
  readonly nodeSource: Pick<NodeSource, 'getNode'>;
}

/** The plugins whose files the kubelet writes, for the volume manager. */
export function createApiDataVolumePlugins(deps: ApiDataVolumeDeps): readonly VolumePlugin[] {
  const nodeAllocatable = (): Readonly<Record<string, string>> => {
    try {
      return deps.nodeSource.getNode().status?.allocatable ?? {};
    } catch (cause) {
      throw new KubeletError(`error retrieving node: ${messageOf(cause)}`, { code: 'unavailable', cause });
    }
  };
  return [
    createDownwardApiPlugin(deps, nodeAllocatable),
    createSecretPlugin(deps, deps),
    createConfigMapPlugin(deps, deps),
    createProjectedPlugin(deps, { ...deps, nodeAllocatable }),
  ];
}
