import type { EventRecorder } from '@podwright/events-interface';
import type { NodeSource } from '@podwright/node-status-interface';
import type { VolumeFailures } from '../mount/volume-failures.js';
import type { VolumeMetrics } from '../volume-metrics.js';
import type { VolumeOperations } from '../volume-operations.js';
import type { PodVolume, SharedVolume } from '../volume-table.js';

export interface KubeletAttachmentsDeps {
  readonly nodeSource?: Pick<NodeSource, 'getNode'> | undefined;
  readonly failures: VolumeFailures;
  readonly events: EventRecorder;
  readonly metrics: VolumeMetrics;
  readonly operations: VolumeOperations;
}

/**
 * Attaches and detaches volumes on a node where no controller does (`enableControllerAttachDetach: false`, or no API
 * server). Source: kubernetes v1.36 pkg/volume/util/operationexecutor GenerateAttachVolumeFunc, GenerateDetachVolumeFunc.
 */
export class KubeletAttachments {
  constructor(private readonly deps: KubeletAttachmentsDeps) {}

  /** Resolves when the volume is attached, with its device path in the record. Rejects on the signal. */
  async whenAttached(record: PodVolume, volume: SharedVolume, signal: AbortSignal): Promise<void> {
    const key = { volume: volume.uniqueName };
    await this.deps.operations.runUntilDone('attach', key, () => this.attach(record, volume, signal), signal);
  }

  async detach(volume: SharedVolume, signal: AbortSignal): Promise<void> {
    if (volume.attachable !== true || !volume.attached) return;
    const { plugin, spec, uniqueName } = volume;
    const name = plugin.volumeName?.(spec) ?? uniqueName;
    await this.deps.metrics.measure(volume, 'volume_detach', () =>
      this.deps.failures.quietly('DetachVolume.Detach failed', uniqueName, async () =>
        plugin.attachable?.detach(name, this.nodeName(), signal),
      ),
    );
    volume.attached = false;
  }

  private async attach(record: PodVolume, volume: SharedVolume, signal: AbortSignal): Promise<void> {
    if (volume.attached) return;
    const { failures, metrics, events } = this.deps;
    await metrics.measure(volume, 'volume_attach', () =>
      failures.step(
        'AttachVolume.Attach failed',
        record,
        async () => {
          volume.devicePath = (await volume.plugin.attachable?.attach(record.spec, this.nodeName(), signal)) ?? '';
        },
        'FailedAttachVolume',
      ),
    );
    volume.attached = true;
    const message = `AttachVolume.Attach succeeded for volume ${JSON.stringify(record.name)} `;
    events.event({ kind: 'Pod', pod: record.spec.pod }, 'Normal', 'SuccessfulAttachVolume', message);
  }

  private nodeName(): string {
    return this.deps.nodeSource?.getNode().metadata?.name ?? '';
  }
}
