import { KubeletError, messageOf } from '@podwright/errors';
import type { EventRecorder } from '@podwright/events-interface';
import { podRef, type Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { BlockVolumeMapper } from '@podwright/volume-interface';
import type { BlockMapping, BlockMappings } from '../block/block-mappings.js';
import type { PodVolume, SharedVolume } from '../volume-table.js';
import { after } from './device-mounts.js';

export interface VolumeDevicesDeps {
  readonly mappings: BlockMappings;
  readonly events: EventRecorder;
  readonly logger: Logger;
}

/**
 * Maps volumes that containers get as block devices. Source: kubernetes v1.36 pkg/volume/util/operationexecutor
 * GenerateMapVolumeFunc, GenerateUnmapVolumeFunc, GenerateUnmapDeviceFunc.
 */
export class VolumeDevices {
  constructor(private readonly deps: VolumeDevicesDeps) {}

  /** The device is attached already. */
  async map(record: PodVolume, shared: SharedVolume, signal: AbortSignal): Promise<void> {
    const { name: specName, plugin, spec } = record;
    await this.reported(spec.pod, async () => {
      const mapper = mapperOf(record);
      await this.setUpDevice(record, shared, mapper, signal);
      const before = record.state;
      // Before the first step: from now on something may be mapped, whatever happens.
      record.state = 'uncertain';
      const { devicePath } = shared;
      const onDevice = (path: string): void => void (shared.devicePath = path);
      const request = { mapper, specName, pluginName: plugin.name, pod: spec.pod, podDir: spec.podDir };
      try {
        const mapped = await this.deps.mappings.map({ ...request, devicePath, onDevice }, signal);
        record.podDevicePath = mapped.podLink;
        record.publishedDevice = mapped.devicePath;
        record.usage = mapper.usage;
      } catch (error) {
        record.state = after(error, before, record.reconstructed);
        throw error;
      }
    });
  }

  /** For plugins whose volumes are published again and again. The mapping of the pod stays as it is. */
  async publishAgain(record: PodVolume, signal: AbortSignal): Promise<void> {
    await this.reported(record.spec.pod, () =>
      this.deps.mappings.publish({ mapper: mapperOf(record), specName: record.name }, signal),
    );
  }

  async unmap(record: PodVolume, podDir: string, signal: AbortSignal): Promise<void> {
    record.state = 'uncertain';
    const { name: specName, plugin, podUid } = record;
    await this.logged(async () => {
      const mapping: BlockMapping = { mapper: mapperOf(record), specName, pluginName: plugin.name, podUid, podDir };
      await this.deps.mappings.unmap(mapping, signal);
    }, podUid);
    record.podDevicePath = undefined;
    record.publishedDevice = undefined;
  }

  async tearDownDevice(shared: SharedVolume, specName: string, signal: AbortSignal): Promise<void> {
    shared.device = 'uncertain';
    const { devicePath } = shared;
    await this.logged(() =>
      this.deps.mappings.tearDownDevice({ mapper: mapperOf(shared), specName, devicePath }, signal),
    );
    shared.device = 'unmounted';
    shared.deviceMountPath = '';
    shared.reconstructed = false;
  }

  private async setUpDevice(
    { name: specName }: PodVolume,
    shared: SharedVolume,
    mapper: BlockVolumeMapper,
    signal: AbortSignal,
  ): Promise<void> {
    if (shared.device === 'mounted') return;
    const before = shared.device;
    shared.deviceMountPath = mapper.globalMapPath;
    shared.device = 'uncertain';
    try {
      await this.deps.mappings.setUpDevice({ mapper, specName }, signal);
    } catch (error) {
      shared.device = after(error, before, shared.reconstructed);
      throw error;
    }
    shared.device = 'mounted';
    shared.reconstructed = false;
  }

  /** Records a failure as an event of the pod. */
  private async reported(pod: Pod, run: () => Promise<unknown>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.deps.events.event({ kind: 'Pod', pod }, 'Warning', 'FailedMapVolume', messageOf(error));
      this.deps.logger.error(messageOf(error), { pod: podRef(pod) });
      throw error;
    }
  }

  private async logged(run: () => Promise<void>, podUid?: string): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.deps.logger.error(messageOf(error), podUid === undefined ? {} : { podUid });
      throw error;
    }
  }
}

function mapperOf({ plugin, spec }: Pick<PodVolume, 'plugin' | 'spec'>): BlockVolumeMapper {
  if (plugin.block === undefined) {
    throw new KubeletError(`MapVolume.FindMapperPluginBySpec failed : no block volume plugin matched: ${plugin.name}`, {
      code: 'unimplemented',
    });
  }
  return plugin.block.newMapper(spec);
}
