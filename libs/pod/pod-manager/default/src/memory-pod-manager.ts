import { METRICS } from '@podwright/assembly-interface';
import { isMirrorPod, podFullName, podUid } from '@podwright/kube-types';
import type { Pod } from '@podwright/kube-types';
import type { MetricsRegistry } from '@podwright/metrics';
import type { PodManager } from '@podwright/pod-manager-interface';
import { inject, injectable } from 'tsyringe';
import { PodSet } from './pod-set.js';

/** {@link PodManager} on plain maps. Mirror pods live in a set of their own and are paired by full name when asked for. */
@injectable()
export class MemoryPodManager implements PodManager {
  private readonly pods = new PodSet();
  private readonly mirrorPods = new PodSet();

  constructor(@inject(METRICS, { isOptional: true }) metrics?: MetricsRegistry) {
    metrics?.computed({
      type: 'gauge',
      name: 'kubelet_managed_ephemeral_containers',
      help: 'Current number of ephemeral containers in pods managed by this kubelet.',
      collect: () => [{ value: ephemeralContainers(this.getPods()) + ephemeralContainers(this.getMirrorPods()) }],
    });
  }

  setPods(pods: readonly Pod[]): void {
    this.pods.clear();
    this.mirrorPods.clear();
    for (const pod of pods) this.addPod(pod);
  }

  addPod(pod: Pod): void {
    this.setOf(pod).put(pod);
  }

  updatePod(pod: Pod): void {
    this.addPod(pod);
  }

  removePod(pod: Pod): void {
    this.setOf(pod).delete(pod);
  }

  getPods(): readonly Pod[] {
    return this.pods.list();
  }

  getMirrorPods(): readonly Pod[] {
    return this.mirrorPods.list();
  }

  getPodByUid(uid: string): Pod | undefined {
    return this.pods.get(uid);
  }

  getPodByFullName(fullName: string): Pod | undefined {
    return this.pods.getByFullName(fullName);
  }

  getMirrorPodOf(pod: Pod): Pod | undefined {
    return this.mirrorPods.getByFullName(podFullName(pod));
  }

  getPodOfMirror(mirrorPod: Pod): Pod | undefined {
    return this.pods.getByFullName(podFullName(mirrorPod));
  }

  translatePodUid(uid: string): string {
    const mirrorPod = this.mirrorPods.get(uid);
    const pod = mirrorPod === undefined ? undefined : this.getPodOfMirror(mirrorPod);
    return pod === undefined ? uid : podUid(pod);
  }

  private setOf(pod: Pod): PodSet {
    return isMirrorPod(pod) ? this.mirrorPods : this.pods;
  }
}

function ephemeralContainers(pods: readonly Pod[]): number {
  return pods.reduce((sum, { spec }) => sum + (spec.ephemeralContainers?.length ?? 0), 0);
}

/** Makes one without a container. */
export function createPodManager(metrics?: MetricsRegistry): PodManager {
  return new MemoryPodManager(metrics);
}
