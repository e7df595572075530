import type { Pod } from '@podwright/kube-types';
import type { ContainerPromises } from './container-promises.js';
import { asksForDevices } from './device-objects.js';
import { BrokenPromise } from './broken-promise.js';
import { isMirror, isReady, runtimeUid, type Scene } from './promises.js';

const order: Readonly<Record<string, number>> = { Pending: 0, Running: 1, Succeeded: 2, Failed: 2 };

/** Statuses of the API server never go backwards, and a pod whose containers all run stays ready. */
export class StatusPromises {
  /** Set when nothing happens any more but a restart of the kubelet: then probes are no reason either. */
  afterRestartOnly = false;
  private readonly seen = new Map<string, Pod>();

  constructor(
    private readonly scene: Scene & { readonly diskHasFailed: boolean },
    private readonly containers: Pick<ContainerPromises, 'hasEnded' | 'sandboxesOf'>,
  ) {}

  /** Notes each pod that has changed. */
  check(onChange: (pod: Pod) => void): void {
    for (const pod of this.scene.pods()) {
      const uid = pod.metadata.uid ?? '';
      const last = this.seen.get(uid);
      if (last?.metadata.resourceVersion === pod.metadata.resourceVersion) continue;
      onChange(pod);
      if (last !== undefined) this.compare(last, pod);
      this.seen.set(uid, pod);
    }
  }

  private compare(before: Pod, after: Pod): void {
    const { manifests } = this.scene;
    if (manifests.wasRemoved(after) || manifests.wasReplaced(runtimeUid(after))) return;
    const name = after.metadata.name ?? '';
    const [was, is] = [before.status, after.status];
    const broken = (what: string, from: unknown, to: unknown): never => {
      throw new BrokenPromise(`${what} never goes back`, `${what} of ${name} went from ${from} to ${to}`);
    };
    const [from, to] = [order[was?.phase ?? 'Pending'] ?? 0, order[is?.phase ?? 'Pending'] ?? 0];
    // In a new sandbox, init containers run again, and upstream's phase is Pending meanwhile.
    const again = from === 1 && this.containers.sandboxesOf(runtimeUid(after)) > 1;
    if ((to < from && !again) || (from === 2 && was?.phase !== is?.phase)) broken('the phase', was?.phase, is?.phase);
    // Without its checkpoint, a new kubelet may see the manifest of a static pod before its mirror pod, as upstream's does.
    const forgotten = this.scene.diskHasFailed && this.scene.kubelet.hadAnEnd && isMirror(after);
    if (was?.startTime !== undefined && is?.startTime !== was.startTime && !forgotten) {
      broken('startTime', was.startTime, is?.startTime);
    }
    const [had, has] = [was?.observedGeneration ?? 0, is?.observedGeneration ?? 0];
    if (has < had) broken('observedGeneration', had, has);
    for (const container of allContainers(is)) {
      const earlier = allContainers(was).find((each) => each.name === container.name);
      // The record of the last attempt goes before the next one starts: between the two only the checkpoint has the count.
      const onlyCheckpointed = forgotten && container.containerID === undefined;
      if (container.restartCount < (earlier?.restartCount ?? 0) && !onlyCheckpointed) {
        broken('restartCount', `${container.name} ${earlier?.restartCount}`, container.restartCount);
      }
    }
    this.compareReadiness(before, after);
  }

  private compareReadiness(before: Pod, after: Pod): void {
    // Once the clock has gone back, a new kubelet takes a container for newer than itself, as upstream's does.
    const probed =
      (!this.afterRestartOnly || this.scene.clockHasJumped()) &&
      after.spec.containers.some(({ readinessProbe, startupProbe }) => readinessProbe ?? startupProbe);
    // As upstream, a kubelet that is new refuses a pod while the plugin of its devices is not back, if a container of it does not run.
    if (this.scene.kubelet.hadAnEnd && asksForDevices(after)) return;
    if (probed || after.metadata.deletionTimestamp !== undefined || !isReady(before) || isReady(after)) return;
    // A container may have ended while the status that says it runs was still under way.
    const ran = allContainers(before.status).filter(({ state }) => state?.running !== undefined);
    if (ran.some(({ containerID = '' }) => this.containers.hasEnded(containerID.replace(/^.*:\/\//, '')))) return;
    const condition = after.status?.conditions?.find(({ type }) => type === 'Ready');
    throw new BrokenPromise(
      'a pod whose containers run stays ready',
      `${after.metadata.name} is not ready any more (${condition?.reason}), but no container of it has ended`,
    );
  }
}

const allContainers = (status: Pod['status']) => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
];
