import { isMirrorPod, podFullName, podUid } from '@podwright/kube-types';
import type { Pod } from '@podwright/kube-types';
import type { PodManager } from '@podwright/pod-manager-interface';
import { injectable } from 'tsyringe';
import { PodSet } from './pod-set.js';

/** {@link PodManager} on plain maps. Mirror pods live in a set of their own and are paired by full name when asked for. */
@injectable()
export class MemoryPodManager implements PodManager {
  private readonly pods = new PodSet();
  private readonly mirrorPods = new PodSet();

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

/** Makes one without a container. */
export function createPodManager(): PodManager {
  return new MemoryPodManager();
}
