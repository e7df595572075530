import { METRICS, needs, optional, type Needs } from '@podwright/assembly-interface';
import { isMirrorPod, podFullName, podUid } from '@podwright/kube-types';
import type { Pod } from '@podwright/kube-types';
import type { PodManager } from '@podwright/pod-manager-interface';
import { PodSet } from './pod-set.js';

export const podManagerNeeds = needs({
  metrics: optional(METRICS),
});

/** {@link PodManager} in memory. Keeps mirror pods in a separate set and pairs them by full name on demand. */
export class MemoryPodManager implements PodManager {
  private readonly pods = new PodSet();
  private readonly mirrorPods = new PodSet();

  constructor(deps: Needs<typeof podManagerNeeds>) {
    deps.metrics?.computed({
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
