import { KubeletError, messageOf } from '@podwright/errors';
import type { NodeSource } from '@podwright/node-status-interface';
import type { VolumePlugin } from '@podwright/volume-interface';
import type { ApiDataDeps } from './api-data-mounter.js';
import { createDownwardApiPlugin } from './downward-api.js';

export interface ApiDataVolumeDeps extends ApiDataDeps {
  readonly nodeSource: NodeSource;
}

/** The plugins whose files the kubelet writes, for the list that the volume manager gets. */
export function createApiDataVolumePlugins(deps: ApiDataVolumeDeps): readonly VolumePlugin[] {
  const nodeAllocatable = (): Readonly<Record<string, string>> => {
    try {
      return deps.nodeSource.getNode().status?.allocatable ?? {};
    } catch (cause) {
      throw new KubeletError(`error retrieving node: ${messageOf(cause)}`, { code: 'unavailable', cause });
    }
  };
  return [createDownwardApiPlugin(deps, nodeAllocatable)];
}
