import type { Pod } from '@podwright/kube-types';
import type { ContainerPromises } from './container-promises.js';
import { BrokenPromise } from './broken-promise.js';
import { isReady, runtimeUid, type Scene } from './promises.js';

const order: Readonly<Record<string, number>> = { Pending: 0, Running: 1, Succeeded: 2, Failed: 2 };

interface Seen {
  readonly pod: Pod;
  /** Endings of containers of the pod at the runtime when it became ready. */
  readonly endings: number;
}

/** Statuses of the API server never go backwards, and a pod whose containers all run stays ready. */
export class StatusPromises {
  /** Set when nothing happens any more but a restart of the kubelet: then probes are no reason either. */
  afterRestartOnly = false;
  private readonly seen = new Map<string, Seen>();

  constructor(
    private readonly scene: Scene,
    private readonly containers: Pick<ContainerPromises, 'endingsOf' | 'sandboxesOf'>,
  ) {}

  /** Notes each pod that has changed. */
  check(onChange: (pod: Pod) => void): void {
    for (const pod of this.scene.pods()) {
      const uid = pod.metadata.uid ?? '';
      const last = this.seen.get(uid);
      if (last?.pod.metadata.resourceVersion === pod.metadata.resourceVersion) continue;
      onChange(pod);
      if (last !== undefined) this.compare(last, pod);
      const became = isReady(pod) && (last === undefined || !isReady(last.pod));
      this.seen.set(uid, { pod, endings: became || !last ? this.containers.endingsOf(runtimeUid(pod)) : last.endings });
    }
  }

  private compare({ pod: before, endings }: Seen, after: Pod): void {
    if (this.scene.manifests.wasRemoved(after)) return;
    const name = after.metadata.name ?? '';
    const [was, is] = [before.status, after.status];
    const broken = (what: string, from: unknown, to: unknown): never => {
      throw new BrokenPromise(`${what} never goes back`, `${what} of ${name} went from ${from} to ${to}`);
    };
    const [from, to] = [order[was?.phase ?? 'Pending'] ?? 0, order[is?.phase ?? 'Pending'] ?? 0];
    // In a new sandbox, init containers run again, and upstream's phase is Pending meanwhile.
    const again = from === 1 && this.containers.sandboxesOf(runtimeUid(after)) > 1;
    if ((to < from && !again) || (from === 2 && was?.phase !== is?.phase)) broken('the phase', was?.phase, is?.phase);
    if (was?.startTime !== undefined && is?.startTime !== was.startTime) {
      broken('startTime', was.startTime, is?.startTime);
    }
    const [had, has] = [was?.observedGeneration ?? 0, is?.observedGeneration ?? 0];
    if (has < had) broken('observedGeneration', had, has);
    const all = (status: Pod['status']) => [
      ...(status?.initContainerStatuses ?? []),
      ...(status?.containerStatuses ?? []),
    ];
    for (const container of all(is)) {
      const earlier = all(was).find((each) => each.name === container.name);
      if (container.restartCount < (earlier?.restartCount ?? 0)) {
        broken('restartCount', `${container.name} ${earlier?.restartCount}`, container.restartCount);
      }
    }
    this.compareReadiness(before, after, endings);
  }

  private compareReadiness(before: Pod, after: Pod, endings: number): void {
    const probed =
      !this.afterRestartOnly &&
      after.spec.containers.some(({ readinessProbe, startupProbe }) => readinessProbe ?? startupProbe);
    if (probed || after.metadata.deletionTimestamp !== undefined || !isReady(before) || isReady(after)) return;
    if (this.containers.endingsOf(runtimeUid(after)) > endings) return;
    const condition = after.status?.conditions?.find(({ type }) => type === 'Ready');
    throw new BrokenPromise(
      'a pod whose containers run stays ready',
      `${after.metadata.name} is not ready any more (${condition?.reason}), but no container of it has ended`,
    );
  }
}
