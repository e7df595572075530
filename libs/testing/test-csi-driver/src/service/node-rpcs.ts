import { status } from '@grpc/grpc-js';
import { StatusError } from '@podwright/grpc';
import type { DeepPartial } from '@podwright/protobuf-wire';
import {
  VolumeUsage_Unit as units,
  type NodeExpandVolumeRequest,
  type NodeExpandVolumeResponse,
  type NodeGetCapabilitiesResponse,
  type NodeGetInfoResponse,
  type NodeGetVolumeStatsRequest,
  type NodeGetVolumeStatsResponse,
  type NodePublishVolumeRequest,
  type NodeStageVolumeRequest,
  type NodeUnpublishVolumeRequest,
  type NodeUnstageVolumeRequest,
  type VolumeCondition,
} from '@podwright/volume-csi-interface';
import { capabilityNumber, type CsiCapability } from '../csi-capabilities.js';
import type { DriverSettings } from '../test-csi-driver-options.js';
import { notFound, type DriverVolumes, type OpenVolume } from '../volumes/driver-volumes.js';
import { accessOf, isExclusive, required } from './volume-request.js';
import { volumeStats } from './volume-stats.js';

/** What a driver says apart from what it does; it may change while the driver runs. */
export interface DriverStatements {
  capabilities: readonly CsiCapability[];
  maxVolumes: number;
  /** By volume id. */
  readonly conditions: Map<string, VolumeCondition>;
  /** Sizes that the driver pretends, by volume id: such a volume never grows. */
  readonly pretendedBytes: Map<string, number>;
}

/** The work of the Node service. Each method is one RPC. */
export class NodeRpcs {
  constructor(
    private readonly volumes: DriverVolumes,
    private readonly settings: DriverSettings,
    private readonly statements: DriverStatements,
  ) {}

  async nodeStageVolume(request: NodeStageVolumeRequest): Promise<Record<string, never>> {
    const { volumeId, stagingTargetPath, volumeCapability, volumeContext } = request;
    this.need('STAGE_UNSTAGE_VOLUME');
    required({ volume_id: volumeId, staging_target_path: stagingTargetPath });
    const access = accessOf(volumeCapability);
    await this.volumes.useDescribed(volumeId, volumeContext, (volume) => volume.stage(stagingTargetPath, access));
    return {};
  }

  async nodeUnstageVolume(request: NodeUnstageVolumeRequest): Promise<Record<string, never>> {
    const { volumeId, stagingTargetPath } = request;
    this.need('STAGE_UNSTAGE_VOLUME');
    required({ volume_id: volumeId, staging_target_path: stagingTargetPath });
    // A volume that is not there any more is as good as unstaged.
    await this.volumes.use(volumeId, ({ volume }) => volume.unstage(stagingTargetPath));
    return {};
  }

  async nodePublishVolume(request: NodePublishVolumeRequest): Promise<Record<string, never>> {
    const { volumeId, stagingTargetPath, targetPath, volumeCapability, volumeContext, readonly } = request;
    required({ volume_id: volumeId, target_path: targetPath });
    const access = accessOf(volumeCapability);
    const publish = {
      stagingPath: stagingTargetPath,
      targetPath,
      access,
      readOnly: readonly,
      exclusive: isExclusive(volumeCapability),
    };
    await this.volumes.useDescribed(volumeId, volumeContext, (volume) => volume.publish(publish));
    return {};
  }

  async nodeUnpublishVolume({ volumeId, targetPath }: NodeUnpublishVolumeRequest): Promise<Record<string, never>> {
    required({ volume_id: volumeId, target_path: targetPath });
    await this.volumes.use(volumeId, async ({ record, volume }) => {
      await volume.unpublish(targetPath);
      if (record.ephemeral) await this.volumes.removeUnused(volumeId, volume);
    });
    return {};
  }

  async nodeExpandVolume(request: NodeExpandVolumeRequest): Promise<NodeExpandVolumeResponse> {
    const { volumeId, volumePath, capacityRange } = request;
    this.need('EXPAND_VOLUME');
    required({ volume_id: volumeId, volume_path: volumePath });
    const requiredBytes = Number(capacityRange?.requiredBytes ?? 0n);
    const limitBytes = Number(capacityRange?.limitBytes ?? 0n) || this.settings.maxCapacityBytes;
    if (requiredBytes > Math.min(limitBytes, this.settings.maxCapacityBytes)) {
      throw new StatusError(status.OUT_OF_RANGE, `volume ${volumeId} cannot have ${requiredBytes} bytes`);
    }
    const pretended = this.statements.pretendedBytes.get(volumeId);
    const grow = async (open: OpenVolume): Promise<number> => {
      if (!(await open.volume.isMountedAt(volumePath))) throw notFound(`${volumeId} at ${volumePath}`);
      return this.volumes.grow(open, requiredBytes);
    };
    const capacity = pretended ?? (await this.volumes.use(volumeId, grow));
    if (capacity === undefined) throw notFound(volumeId);
    return { capacityBytes: BigInt(capacity) };
  }

  async nodeGetVolumeStats(request: NodeGetVolumeStatsRequest): Promise<DeepPartial<NodeGetVolumeStatsResponse>> {
    const { volumeId, volumePath } = request;
    this.need('GET_VOLUME_STATS');
    required({ volume_id: volumeId, volume_path: volumePath });
    const usage = await this.volumes.use(volumeId, async ({ record, volume }) => {
      if (!(await volume.isMountedAt(volumePath))) throw notFound(`${volumeId} at ${volumePath}`);
      const usage = await volumeStats(volumePath, record.capacityBytes);
      const pretended = this.statements.pretendedBytes.get(volumeId);
      if (pretended === undefined) return usage;
      return usage.map((one) => (one.unit === units.BYTES ? { ...one, total: BigInt(pretended) } : one));
    });
    if (usage === undefined) throw notFound(volumeId);
    if (!this.statements.capabilities.includes('VOLUME_CONDITION')) return { usage };
    return {
      usage,
      volumeCondition: this.statements.conditions.get(volumeId) ?? { abnormal: false, message: 'healthy' },
    };
  }

  nodeGetCapabilities(): Promise<NodeGetCapabilitiesResponse> {
    const types = this.statements.capabilities.map(capabilityNumber);
    return Promise.resolve({ capabilities: types.map((type) => ({ rpc: { type } })) });
  }

  nodeGetInfo(): Promise<DeepPartial<NodeGetInfoResponse>> {
    const { nodeId, topology } = this.settings;
    return Promise.resolve({
      nodeId,
      maxVolumesPerNode: BigInt(this.statements.maxVolumes),
      ...(Object.keys(topology).length > 0 && { accessibleTopology: { segments: topology } }),
    });
  }

  private need(capability: CsiCapability): void {
    if (this.statements.capabilities.includes(capability)) return;
    throw new StatusError(status.UNIMPLEMENTED, `the driver lacks ${capability}`);
  }
}
