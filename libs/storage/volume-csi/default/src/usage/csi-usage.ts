import { KubeletError } from '@podwright/errors';
import { VolumeUsage_Unit as units, type NodeGetVolumeStatsResponse } from '@podwright/volume-csi-interface';
import type { MeasuredUsage, VolumeSpec, VolumeUsage } from '@podwright/volume-interface';
import type { CsiOperation } from '../client/csi-operation.js';
import type { CsiVolumes } from '../csi-volumes.js';
import type { CsiSource } from '../mount/csi-source.js';

export interface MeasuredVolume {
  readonly spec: VolumeSpec;
  readonly source: Pick<CsiSource, 'driver' | 'handle'>;
  /** Where the volume is published; for a block device the node's link to it. */
  readonly path: string;
}

/**
 * Asks the driver how much of the volume is used and, with the gate CSIVolumeHealth, how it is. Source: kubernetes
 * v1.36 pkg/volume/csi/csi_metrics.go, csi_client.go NodeGetVolumeStats.
 */
export function csiUsage(volumes: CsiVolumes, volume: MeasuredVolume): MeasuredUsage {
  return {
    metricSource: volume.source.driver,
    measure: (signal) => volumes.operation(signal, (operation) => measure(volumes, volume, operation), volume.spec),
  };
}

async function measure(volumes: CsiVolumes, volume: MeasuredVolume, operation: CsiOperation): Promise<VolumeUsage> {
  const { driver, handle } = volume.source;
  const client = volumes.client(driver);
  if (!(await client.supports('GET_VOLUME_STATS', operation))) {
    throw new KubeletError(`metrics are not supported for ${driver} volumes`, { code: 'unimplemented' });
  }
  const hasCondition = volumes.options.volumeHealth && (await client.supports('VOLUME_CONDITION', operation));
  const answer = await client.nodeGetVolumeStats({ volumeId: handle, volumePath: volume.path }, operation);
  if (answer.usage.length === 0 && !hasCondition) {
    throw new KubeletError('failed to get usage from response. usage is nil', { code: 'internal' });
  }
  return { ...numbersOf(answer), ...(hasCondition && { abnormal: conditionOf(answer, volumes, volume) }) };
}

function numbersOf({ usage }: NodeGetVolumeStatsResponse): VolumeUsage {
  const bytes = usage.findLast(({ unit }) => unit === units.BYTES);
  const inodes = usage.findLast(({ unit }) => unit === units.INODES);
  return {
    ...(bytes !== undefined && {
      availableBytes: Number(bytes.available),
      capacityBytes: Number(bytes.total),
      usedBytes: Number(bytes.used),
    }),
    ...(inodes !== undefined && {
      inodesFree: Number(inodes.available),
      inodes: Number(inodes.total),
      inodesUsed: Number(inodes.used),
    }),
  };
}

/** True when the driver calls the volume abnormal; then the pod gets an event, each time. */
function conditionOf(
  { volumeCondition }: NodeGetVolumeStatsResponse,
  { deps }: CsiVolumes,
  { spec: { pod, volume } }: MeasuredVolume,
): boolean {
  const { abnormal = false, message = '' } = volumeCondition ?? {};
  if (abnormal) {
    deps.events.event({ kind: 'Pod', pod }, 'Warning', 'VolumeConditionAbnormal', `Volume ${volume.name}: ${message}`);
  }
  return abnormal;
}
