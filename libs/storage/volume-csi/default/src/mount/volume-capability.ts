import type { VolumeCapability } from '@podwright/volume-csi-interface';
import { csiAccessMode } from '../client/access-mode.js';
import type { CsiClient } from '../client/csi-client.js';
import type { CsiOperation } from '../client/csi-operation.js';
import { firstAccessMode, type CsiSource } from './csi-source.js';

/** How a volume is to be mounted. */
export interface MountedAs {
  readonly mountFlags: readonly string[];
  /** The group that shall own the files, for drivers that can do that themselves. */
  readonly volumeMountGroup?: number | undefined;
}

/**
 * The capability that a driver is asked for; `mount` absent: as a block device. Asks the driver which access modes it
 * knows. Source: kubernetes v1.36 pkg/volume/csi/csi_client.go.
 */
export async function volumeCapability(
  client: CsiClient,
  source: CsiSource,
  mount: MountedAs | undefined,
  operation: CsiOperation,
): Promise<VolumeCapability> {
  const singleNode = await client.supports('SINGLE_NODE_MULTI_WRITER', operation);
  const accessMode = { mode: csiAccessMode(firstAccessMode(source), singleNode) };
  if (mount === undefined) return { block: {}, accessMode };
  const { mountFlags, volumeMountGroup } = mount;
  return {
    mount: {
      fsType: source.fsType,
      mountFlags: [...mountFlags],
      volumeMountGroup: volumeMountGroup === undefined ? '' : String(volumeMountGroup),
    },
    accessMode,
  };
}
