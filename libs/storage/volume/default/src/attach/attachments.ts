import { KubeletError, messageOf } from '@podwright/errors';
import type { Node } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { NodeSource, RegisteredNode } from '@podwright/node-status-interface';
import { abortReason, GrowingPause, onAbort, type Clock } from '@podwright/time';
import type { VolumesInUse } from '@podwright/volume-interface';
import type { VolumeMetrics } from '../volume-metrics.js';
import type { PodVolume, SharedVolume, VolumeTable } from '../volume-table.js';
import type { KubeletAttachments } from './kubelet-attachments.js';

export interface AttachmentsDeps {
  readonly table: VolumeTable;
  readonly node?: RegisteredNode | undefined;
  readonly nodeSource?: Pick<NodeSource, 'getNode' | 'fetchNode'> | undefined;
  readonly metrics: VolumeMetrics;
  /** For a node whose volumes the kubelet attaches. */
  readonly own: KubeletAttachments;
  readonly clock: Clock;
  readonly logger: Logger;
}

const firstPauseMs = 500;
const longestPauseMs = 122_000;

/**
 * The node's half of the handshake with the controller that attaches volumes: the node says what it uses, the
 * controller says what it has attached. Source: kubernetes v1.36 pkg/volume/util/operationexecutor
 * GenerateVerifyControllerAttachedVolumeFunc, pkg/kubelet/volumemanager/reconciler.
 */
export class Attachments implements VolumesInUse {
  private readonly reportedNames = new Set<string>();
  private readonly assumed = new WeakSet<PodVolume | SharedVolume>();
  private synced = false;
  /** The list that listeners know of. */
  private told: string | undefined;
  private readonly listeners = new Set<() => void>();
  private readonly waiters = new Set<() => void>();
  private changes = 0;

  /** `controllerAttaches`: false where the kubelet attaches volumes itself. */
  constructor(
    private readonly deps: AttachmentsDeps,
    private readonly controllerAttaches: boolean,
  ) {
    deps.node?.watch(() => this.wake());
  }

  list(): readonly string[] | undefined {
    if (!this.synced || !this.controllerAttaches) return undefined;
    return this.deps.table
      .allShared()
      .flatMap(({ attachable, uniqueName }) => (attachable === true ? [uniqueName] : []))
      .sort();
  }

  reported(names: readonly string[]): void {
    this.reportedNames.clear();
    for (const name of names) this.reportedNames.add(name);
    this.wake();
  }

  watch(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The list may be another one now. */
  changed(): void {
    const list = this.list()?.join('\n');
    if (list === this.told) return;
    this.told = list;
    for (const listener of this.listeners) listener();
  }

  /**
   * The volume has left the node, so that the next status will lack it. Should it come back before, it must be reported
   * anew: that status may be on its way.
   */
  left({ uniqueName }: SharedVolume): void {
    this.reportedNames.delete(uniqueName);
    this.changed();
  }

  /**
   * Takes what the node's status says of reconstructed volumes, again and again until the API server answers; without an
   * API server there is nothing to take. Rejects only with the signal.
   */
  async sync(signal: AbortSignal): Promise<void> {
    const pause = new GrowingPause({ firstMs: firstPauseMs, longestMs: longestPauseMs });
    const waiting = (): readonly SharedVolume[] =>
      this.deps.table.allShared().filter(({ attachable }) => attachable === undefined);
    while (this.deps.node !== undefined && waiting().length > 0) {
      try {
        const attached = attachedVolumes(await this.fetchNode(signal));
        for (const volume of waiting()) {
          const devicePath = attached.get(volume.uniqueName);
          volume.attachable = devicePath !== undefined;
          volume.attached = volume.attachable;
          if (volume.device === 'uncertain') volume.devicePath = devicePath ?? '';
        }
      } catch (error) {
        if (signal.aborted) throw abortReason(signal);
        this.deps.logger.error('Failed to get Node status to reconstruct device paths', { error });
        await this.deps.clock.sleep(pause.next(), signal);
      }
    }
    this.synced = true;
    this.wake();
    this.changed();
  }

  /** Resolves once {@link sync} has. */
  async whenSynced(signal: AbortSignal): Promise<void> {
    while (!this.synced) await this.nextChange(this.changes, signal);
  }

  /** Resolves when the volume is attached, with its device path in the record. Rejects on the signal. */
  async whenAttached(record: PodVolume, signal: AbortSignal): Promise<void> {
    const { shared } = record;
    if (shared?.attachable !== true) await this.assumeAttached(record);
    if (shared === undefined) return;
    if (this.controllerAttaches) await this.whenControllerAttached(shared, signal);
    else await this.deps.own.whenAttached(record, shared, signal);
  }

  /** Detaches a volume that no pod uses, where the kubelet does that. */
  async detach(volume: SharedVolume, signal: AbortSignal): Promise<void> {
    if (!this.controllerAttaches) await this.deps.own.detach(volume, signal);
  }

  /** Upstream also runs and measures this operation, once, for a volume that nobody has to attach. */
  private async assumeAttached(record: PodVolume): Promise<void> {
    const volume = record.shared ?? record;
    if (volume.reconstructed || this.assumed.has(volume)) return;
    this.assumed.add(volume);
    await this.deps.metrics.measure(record, 'verify_controller_attached_volume', async () => undefined);
  }

  private async whenControllerAttached(volume: SharedVolume, signal: AbortSignal): Promise<void> {
    const pause = new GrowingPause({ firstMs: firstPauseMs, longestMs: longestPauseMs });
    while (!volume.attached) {
      const seen = this.changes;
      if (!this.reportedNames.has(volume.uniqueName) || !this.cacheHas(volume)) {
        await this.nextChange(seen, signal);
        continue;
      }
      const problem = await this.verify(volume, signal);
      if (problem === undefined) return;
      this.deps.logger.error(
        `VerifyControllerAttachedVolume failed for volume ${JSON.stringify(volume.uniqueName)}: ${problem}`,
      );
      await this.deps.clock.sleep(pause.next(), signal);
    }
  }

  private async verify(volume: SharedVolume, signal: AbortSignal): Promise<string | undefined> {
    const look = async (): Promise<void> => {
      const node = await this.fetchNode(signal).catch((error: unknown) => {
        const message = `failed fetching node from API server: ${messageOf(error)}`;
        throw new KubeletError(message, { code: 'unavailable', cause: error });
      });
      const devicePath = attachedVolumes(node).get(volume.uniqueName);
      if (devicePath === undefined) {
        throw new KubeletError('Volume not attached according to node status', { code: 'failed-precondition' });
      }
      volume.devicePath = devicePath;
      volume.attached = true;
    };
    try {
      await this.deps.metrics.measure(volume, 'verify_controller_attached_volume', look);
      return undefined;
    } catch (error) {
      if (signal.aborted) throw abortReason(signal);
      return messageOf(error);
    }
  }

  /** The API server's word counts; the copy only tells when asking is worth it. */
  private cacheHas({ uniqueName }: SharedVolume): boolean {
    const node = this.deps.node?.current();
    return node === undefined || attachedVolumes(node).has(uniqueName);
  }

  private async fetchNode(signal: AbortSignal): Promise<Node> {
    if (this.deps.nodeSource === undefined) {
      throw new KubeletError('nobody attaches volumes to a node without an API server', {
        code: 'failed-precondition',
      });
    }
    return this.deps.nodeSource.fetchNode(signal);
  }

  private wake(): void {
    this.changes++;
    for (const waiter of [...this.waiters]) waiter();
  }

  /** Resolves when something has changed since `seen`. */
  private async nextChange(seen: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw abortReason(signal);
    if (this.changes !== seen) return;
    await new Promise<void>((resolve, reject) => {
      const done = (): void => {
        this.waiters.delete(done);
        unlisten();
        if (signal.aborted) reject(abortReason(signal));
        else resolve();
      };
      this.waiters.add(done);
      const unlisten = onAbort(signal, done);
    });
  }
}

function attachedVolumes(node: Node): ReadonlyMap<string, string> {
  return new Map((node.status?.volumesAttached ?? []).map(({ name, devicePath }) => [name, devicePath]));
}
