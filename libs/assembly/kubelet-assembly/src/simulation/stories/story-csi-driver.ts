import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CLOCK, defineModule, needs, type AnyModule } from '@podwright/assembly-interface';
import { abortable } from '@podwright/concurrency';
import { KubeletError } from '@podwright/errors';
import type { Clock, VirtualClock } from '@podwright/time';
import { CSI_DRIVER_CONNECTOR, type CsiClient, type CsiOperation } from '@podwright/volume-csi';
import { uncertainProgress } from '@podwright/volume-interface';
import { answerOn } from './answers.js';
import { csiDriverName } from './csi-objects.js';
import { DriverFaults, type DriverFault } from './driver-faults.js';
import type { MachineMounts } from './machine-mounts.js';
import type { StoryPluginWatcher } from './story-plugin-watcher.js';

export const csiCalls = [
  'nodeStageVolume',
  'nodePublishVolume',
  'nodeUnpublishVolume',
  'nodeUnstageVolume',
] as const satisfies readonly (keyof CsiClient)[];
export type CsiCall = (typeof csiCalls)[number];

const away = (): KubeletError => new KubeletError('the driver is not there', { code: 'unavailable' });

/**
 * A CSI driver of the machine. What it has mounted outlives kubelets and itself; what it is doing goes on when nobody waits
 * for it any more.
 */
export class StoryCsiDriver {
  readonly faults: DriverFaults<CsiCall>;
  private present = true;
  private readonly busy = new Set<string>();

  constructor(
    clock: VirtualClock,
    private readonly mounts: MachineMounts,
    private readonly watcher: StoryPluginWatcher,
  ) {
    this.faults = new DriverFaults(clock);
  }

  /** It comes to the machine. Call it only where kubelets have its module: others would look for a real socket. */
  arrive(): void {
    this.watcher.add('CSIPlugin', { name: csiDriverName, endpoint: '/csi.sock', versions: ['1.0.0'] });
  }

  leave(): void {
    this.present = false;
    this.watcher.set('CSIPlugin', false);
  }

  comeBack(): void {
    this.present = true;
    this.watcher.set('CSIPlugin', true);
  }

  /** Of each kubelet: its calls go to this driver. */
  readonly module: AnyModule = defineModule({
    name: 'story-csi-driver',
    provides: [CSI_DRIVER_CONNECTOR],
    needs: needs({ clock: CLOCK }),
    create:
      ({ clock }) =>
      () =>
        this.clientFor(clock),
  });

  private clientFor(clock: Clock): CsiClient {
    const call = (name: CsiCall, target: string, { signal }: CsiOperation, work: () => Promise<void>): Promise<void> =>
      answerOn(clock, this.run(name, target, signal, work));
    const none = (): Promise<never> => Promise.reject(new KubeletError('not implemented', { code: 'unimplemented' }));
    return {
      driver: csiDriverName,
      nodeGetInfo: ({ signal }) => {
        const info = { nodeId: 'node', maxVolumesPerNode: 0n, accessibleTopology: undefined };
        return answerOn(clock, abortable(this.present ? Promise.resolve(info) : Promise.reject(away()), signal));
      },
      supports: async (capability) => capability === 'STAGE_UNSTAGE_VOLUME',
      nodeStageVolume: ({ volumeId = '', stagingTargetPath: target = '' }, operation) =>
        call('nodeStageVolume', target, operation, () => this.mount(volumeId, target)),
      nodePublishVolume: ({ volumeId = '', targetPath: target = '' }, operation) =>
        call('nodePublishVolume', target, operation, () => this.mount(volumeId, target)),
      nodeUnpublishVolume: ({ targetPath: target }, operation) =>
        call('nodeUnpublishVolume', target, operation, async () => {
          await this.mounts.unmount(target);
          rmSync(target, { recursive: true, force: true });
        }),
      nodeUnstageVolume: ({ stagingTargetPath: target }, operation) =>
        call('nodeUnstageVolume', target, operation, () => this.mounts.unmount(target)),
      nodeExpandVolume: none,
      nodeGetVolumeStats: none,
    };
  }

  /** As drivers must, it does one thing at a time at each path. */
  private async run(name: CsiCall, target: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    const uncertain = (error: KubeletError): KubeletError =>
      name === 'nodeStageVolume' || name === 'nodePublishVolume' ? uncertainProgress(error) : error;
    if (!this.present) throw uncertain(away());
    if (this.busy.has(target)) throw uncertain(new KubeletError('it is at work there', { code: 'aborted' }));
    this.busy.add(target);
    const done = this.faults.disturb(name, work).finally(() => this.busy.delete(target));
    await abortable(done, signal).catch((error: unknown) => {
      throw signal.aborted ? uncertain(KubeletError.from(error)) : error;
    });
  }

  /** What is mounted already stays. The volume has a file, which only its users may remove. */
  private async mount(volume: string, target: string): Promise<void> {
    if (this.mounts.table.some(({ mountPoint }) => mountPoint === target)) return;
    if (!existsSync(target)) mkdirSync(target);
    await this.mounts.mount({ source: `/dev/${volume}`, target, fsType: 'ext4' });
    writeFileSync(path.join(target, 'kept'), '');
  }
}

export type CsiFault = DriverFault<CsiCall>;
