import type { Attachments } from '../attach/attachments.js';
import type { VolumeMetrics } from '../volume-metrics.js';
import type { VolumeOperations } from '../volume-operations.js';
import type { SharedVolume, VolumeTable } from '../volume-table.js';
import type { DeviceMounts } from './device-mounts.js';
import type { VolumeDevices } from './volume-devices.js';
import { specName } from '@podwright/volume-interface';

export interface SharedVolumesDeps {
  readonly table: VolumeTable;
  readonly devices: DeviceMounts;
  readonly blocks: VolumeDevices;
  readonly operations: VolumeOperations;
  readonly attachments: Attachments;
  readonly metrics: VolumeMetrics;
  readonly stopping: AbortSignal;
  /** The volume has left the node. */
  readonly onGone: (volume: SharedVolume) => void;
  /** Runs an operation with a limit to its time. */
  readonly bounded: (task: (signal: AbortSignal) => Promise<void>) => Promise<void>;
}

/** Gives shared volumes back in the background, once the last pod has left them. */
export class SharedVolumes {
  private readonly releasing = new Map<SharedVolume, Promise<void>>();

  constructor(private readonly deps: SharedVolumesDeps) {}

  /** Gives back what an earlier kubelet left without a pod. Call it when all pods are known. */
  releaseUnused(): void {
    for (const volume of this.deps.table.allShared()) this.release(volume);
  }

  /** Returns at once. Unmounts the volume from the node and forgets it, unless a pod uses it; retries with growing pauses. */
  release(volume: SharedVolume): void {
    if (!this.isUnused(volume) || this.releasing.has(volume)) return;
    const { operations, stopping, attachments } = this.deps;
    const key = { volume: volume.uniqueName };
    const work = attachments
      .whenSynced(stopping)
      .then(() =>
        operations.runUntilDone(
          'unmount-device',
          key,
          () => this.deps.bounded((limit) => this.giveBack(volume, limit)),
          stopping,
        ),
      )
      // Only stop() ends it this way: each failure is reported by its step.
      .catch(() => undefined)
      .finally(() => {
        this.releasing.delete(volume);
        // A pod that came and went meanwhile.
        if (!stopping.aborted) this.release(volume);
      });
    this.releasing.set(volume, work);
  }

  async whenIdle(): Promise<void> {
    await Promise.all(this.releasing.values());
  }

  private isUnused(volume: SharedVolume): boolean {
    const { table } = this.deps;
    return table.shared(volume.uniqueName) === volume && table.users(volume).length === 0;
  }

  private async giveBack(volume: SharedVolume, signal: AbortSignal): Promise<void> {
    if (!this.isUnused(volume)) return;
    if (volume.device !== 'unmounted') {
      const { devices, blocks, metrics } = this.deps;
      const give = (): Promise<void> =>
        volume.isBlockDevice
          ? blocks.tearDownDevice(volume, specName(volume.spec), signal)
          : devices.unmount(volume, signal);
      await metrics.measure(volume, volume.isBlockDevice ? 'unmap_device' : 'unmount_device', give);
    }
    // A new pod may want it already; it then stays attached.
    if (!this.isUnused(volume)) return;
    await this.deps.attachments.detach(volume, signal);
    if (!this.isUnused(volume)) return;
    this.deps.table.deleteShared(volume);
    this.deps.onGone(volume);
    this.deps.attachments.left(volume);
  }
}
