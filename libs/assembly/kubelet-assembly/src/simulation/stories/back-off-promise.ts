import type { SimulatedContainer } from '@podwright/simulated-runtime';
import { BrokenPromise } from './broken-promise.js';
import type { ContainerPromises } from './container-promises.js';
import { uidOf, type Scene } from './promises.js';
import type { Story } from './story.js';

const initialMs = 10_000;
const resetAfterMs = 600_000;
/** The kubelet reads the end of a container in whole milliseconds. */
const roundingMs = 1;

/** A container that ended starts again when its back-off is over, and no kubelet forgets it. */
export class BackOffPromise {
  private readonly seen = new Set<string>();
  /**
   * By sandbox and name: the newest container that has ended. In another sandbox init containers run again, and a later
   * sync no longer knows their records of before.
   */
  private readonly ends = new Map<string, { readonly id: string; readonly createdAt: bigint; readonly atMs: number }>();
  /** By pod, name, image and resources, as upstream. */
  private readonly backOffs = new Map<string, { readonly delayMs: number; readonly atMs: number }>();
  private readonly holds: boolean;
  private readonly mostMs: number;

  constructor(
    story: Story,
    private readonly scene: Pick<Scene, 'runtime' | 'manifests' | 'nowMs'>,
    private readonly containers: Pick<ContainerPromises, 'wasStopped'>,
  ) {
    // A disk that fails loses what a kubelet wrote, and a clock that jumps may end each wait.
    this.holds = !story.steps.some(({ act }) => act === 'disk-fails' || act === 'clock-jumps');
    const most = story.configuration.crashLoopBackOff?.maxContainerRestartPeriod ?? '300s';
    this.mostMs = Number.parseInt(most, 10) * 1_000;
  }

  check(): void {
    if (!this.holds) return;
    for (const container of this.scene.runtime.control.containers()) {
      if (!this.seen.has(container.id)) this.onCreation(container);
      const key = `${container.podSandboxId} ${container.name}`;
      const { id, createdAt, finishedAt } = container;
      if (finishedAt > 0n && (this.ends.get(key)?.createdAt ?? 0n) < createdAt)
        this.ends.set(key, { id, createdAt, atMs: this.scene.nowMs() });
    }
  }

  private onCreation(container: SimulatedContainer): void {
    this.seen.add(container.id);
    const { name, config } = container;
    const key = `${uidOf(container)} ${name}`;
    const end = this.ends.get(`${container.podSandboxId} ${name}`);
    // The kubelet stops one to replace it at once, as for another image.
    if (end === undefined || this.containers.wasStopped(end.id)) return;
    // A static pod that came back begins anew, with the same UID.
    const { manifests } = this.scene;
    if (manifests.wasReplaced(uidOf(container))) return;
    if (manifests.wasRemoved({ metadata: { name: config.labels?.['io.kubernetes.pod.name'] ?? '' } })) return;
    const one = `${key} ${config.image?.userSpecifiedImage} ${told(config.linux?.resources)}`;
    const known = this.backOffs.get(one);
    const nowMs = this.scene.nowMs();
    const goesOn = known !== undefined && end.atMs - known.atMs <= resetAfterMs;
    if (goesOn && nowMs - end.atMs < known.delayMs - roundingMs) {
      throw new BrokenPromise(
        'back-offs are waited for',
        `${key} was created ${nowMs - end.atMs} ms after its end, with a back-off of ${known.delayMs} ms`,
      );
    }
    const delayMs = Math.min(goesOn ? known.delayMs * 2 : initialMs, this.mostMs);
    this.backOffs.set(one, { delayMs, atMs: nowMs });
  }
}

const told = (resources: unknown): string =>
  JSON.stringify(resources, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)) ?? '';
