import { KubeletError } from '@podwright/errors';
import type { Node, Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { mountOptionsOf, nodeAffinityProblem } from '@podwright/volume-interface';
import type { SetUpOptions, VolumeMounter } from '@podwright/volume-interface';
import { cleanSubPaths } from '../clean-sub-paths.js';
import type { SubPathDeps } from '../clean-sub-paths.js';
import type { VolumeExpansions } from '../expansion/volume-expansions.js';
import type { VolumeMetrics } from '../volume-metrics.js';
import { uniqueVolumeName } from '../volume-table.js';
import type { PodVolume, SharedVolume, VolumeTable } from '../volume-table.js';
import { after, type DeviceMounts } from './device-mounts.js';
import type { VolumeDevices } from './volume-devices.js';
import type { VolumeFailures } from './volume-failures.js';

export interface VolumeMountsDeps extends SubPathDeps {
  readonly table: VolumeTable;
  readonly metrics: VolumeMetrics;
  readonly devices: DeviceMounts;
  readonly blocks: VolumeDevices;
  readonly expansions: VolumeExpansions;
  /** This node, for the affinity of volumes. Throws while it is unknown. */
  readonly node: () => Node;
  readonly failures: VolumeFailures;
  readonly logger: Logger;
}

/**
 * Mounts one volume for one pod, and unmounts it. Each operation reports its failure and rejects; the caller decides
 * when to retry. Source: kubernetes v1.36 pkg/volume/util/operationexecutor GenerateMountVolumeFunc,
 * GenerateUnmountVolumeFunc.
 */
export class VolumeMounts {
  constructor(private readonly deps: VolumeMountsDeps) {}

  async setUp(record: PodVolume, signal: AbortSignal): Promise<void> {
    if (record.state === 'mounted') return;
    if (!record.wanted || !this.deps.table.has(record)) {
      throw new KubeletError('the pod does not want the volume any more', { code: 'cancelled' });
    }
    if (record.isBlockDevice) await this.map(record, signal);
    else await this.mount(record, signal);
    record.state = 'mounted';
    record.reconstructed = false;
  }

  private async map(record: PodVolume, signal: AbortSignal): Promise<void> {
    await this.deps.metrics.measure(record, 'map_volume', async () => {
      const { shared } = record;
      if (shared === undefined) {
        throw new KubeletError(`volume plugin ${record.plugin.name} has no block devices`, { code: 'unimplemented' });
      }
      await this.requireNode(record, 'MapVolume');
      await this.waitForAttach(record, shared, 'MapVolume', signal);
      await this.deps.blocks.map(record, shared, signal);
      await this.deps.expansions.onMount(record, record.publishedDevice ?? '', signal);
    });
  }

  private async mount(record: PodVolume, signal: AbortSignal): Promise<void> {
    const before = record.state;
    await this.deps.metrics.measure(record, 'volume_mount', async () => {
      const mounter = await this.prepare(record, signal);
      // Before the first step: from now on something may be mounted, whatever happens.
      record.state = 'uncertain';
      try {
        await this.run(record, mounter, { reconstructed: record.reconstructed }, signal);
        await this.deps.expansions.onMount(record, mounter.hostPath, signal);
      } catch (error) {
        if (record.shared !== undefined) record.state = after(error, before, record.reconstructed);
        throw error;
      }
    });
  }

  /** Refreshes the content of a mounted volume; when that fails, containers keep the old content. */
  async setUpAgain(record: PodVolume, pod: Pod, signal: AbortSignal): Promise<void> {
    const volume = pod.spec.volumes?.find(({ name }) => record.outerNames.includes(name));
    if (record.state !== 'mounted' || volume === undefined) return;
    record.spec = { ...record.spec, pod, volume };
    if (record.isBlockDevice) {
      await this.deps.metrics.measure(record, 'map_volume', () => this.deps.blocks.publishAgain(record, signal));
      return;
    }
    await this.deps.metrics.measure(record, 'volume_mount', async () => {
      const mounter = await this.newMounter(record);
      await this.run(record, mounter, { remount: true }, signal);
    });
  }

  async tearDown(record: PodVolume, podDir: string, signal: AbortSignal): Promise<void> {
    if (record.isBlockDevice) {
      await this.deps.metrics.measure(record, 'unmap_volume', () => this.deps.blocks.unmap(record, podDir, signal));
      record.state = 'unmounted';
      return;
    }
    record.state = 'uncertain';
    const { failures } = this.deps;
    const unique = uniqueVolumeName(record);
    await this.deps.metrics.measure(record, 'volume_unmount', async () => {
      const quietly = (what: string, run: () => Promise<void>): Promise<void> =>
        failures.quietly(what, unique, run, record.podUid);
      await quietly('error cleaning subPath mounts', () => cleanSubPaths(podDir, record.name, this.deps, signal));
      await quietly('UnmountVolume.TearDown failed', () => record.plugin.tearDown(podDir, record.name, signal));
    });
    record.state = 'unmounted';
  }

  /** What can be refused before anything is mounted, then the device. */
  private async prepare(record: PodVolume, signal: AbortSignal): Promise<VolumeMounter> {
    const { failures, devices } = this.deps;
    const { shared, spec, plugin } = record;
    await this.requireNode(record, 'MountVolume');
    const mounter = await this.newMounter(record);
    await failures.step('MountVolume.MountOptionSupport check failed', record, () => {
      if (spec.persistentVolume === undefined || plugin.supportsMountOptions === true) return;
      if (mountOptionsOf(spec.persistentVolume).length > 0) {
        throw new KubeletError('mount options are not supported for this volume type', { code: 'invalid-argument' });
      }
    });
    if (shared === undefined) return mounter;
    await this.waitForAttach(record, shared, 'MountVolume', signal);
    await devices.mount(record, shared, signal);
    return mounter;
  }

  private async requireNode(record: PodVolume, operation: 'MountVolume' | 'MapVolume'): Promise<void> {
    const { persistentVolume } = record.spec;
    if (persistentVolume?.spec?.nodeAffinity === undefined) return;
    await this.deps.failures.step(`${operation}.NodeAffinity check failed`, record, () => {
      const problem = nodeAffinityProblem(persistentVolume, this.deps.node().metadata?.labels ?? {});
      if (problem !== undefined) throw new KubeletError(problem, { code: 'failed-precondition' });
    });
  }

  private async waitForAttach(
    record: PodVolume,
    shared: SharedVolume,
    operation: 'MountVolume' | 'MapVolume',
    signal: AbortSignal,
  ): Promise<void> {
    const { failures } = this.deps;
    const [step, reason] =
      operation === 'MountVolume' ? (['SetUp', 'FailedMount'] as const) : (['SetUpDevice', 'FailedMapVolume'] as const);
    await failures.step(`${operation}.${step} failed`, record, () => this.refuseSecondPod(record), reason);
    if (shared.attachable !== true) return;
    const wait = async (): Promise<void> => {
      shared.devicePath = (await record.plugin.attachable?.waitForAttach(record.spec, shared.devicePath, signal)) ?? '';
    };
    await failures.step(`${operation}.WaitForAttach failed`, record, wait, reason);
  }

  private newMounter(record: PodVolume): Promise<VolumeMounter> {
    const { plugin, spec } = record;
    return this.deps.failures.step('MountVolume.NewMounter initialization failed', record, async () => {
      await plugin.checkSource?.(spec);
      return plugin.newMounter(spec);
    });
  }

  private async run(
    record: PodVolume,
    mounter: VolumeMounter,
    options: SetUpOptions,
    signal: AbortSignal,
  ): Promise<void> {
    await this.deps.failures.step('MountVolume.SetUp failed', record, () =>
      mounter.setUp(signal, { ...options, seLinuxLabel: record.seLinuxLabel || undefined }),
    );
    record.mounter = mounter;
  }

  private refuseSecondPod({ shared, podUid, spec }: PodVolume): void {
    const { accessModes = [] } = spec.persistentVolume?.spec ?? {};
    if (shared === undefined || accessModes.length !== 1 || accessModes[0] !== 'ReadWriteOncePod') return;
    const inUse = this.deps.table.users(shared).some((other) => other.podUid !== podUid && other.state !== 'unmounted');
    if (!inUse) return;
    throw new KubeletError('volume uses the ReadWriteOncePod access mode and is already in use by another pod', {
      code: 'failed-precondition',
    });
  }
}
