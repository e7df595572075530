import type { PodResourceState } from '@podwright/allocation-interface';
import type { PodCgroupResources } from '@podwright/cgroup-interface';
import { computeQosClass, podUid, type Pod } from '@podwright/kube-types';
import type { PodSyncNeeds } from './pod-sync-needs.js';

interface Reading {
  readonly actuated: PodResourceState | undefined;
  readonly values: PodCgroupResources;
}

/**
 * What the cgroups of pods have. Upstream reads them for each status. Only the kubelet writes them, so here one reading
 * serves until the kubelet has set resources of the pod again.
 */
export class PodCgroupValues {
  private readonly readings = new Map<string, Reading>();

  constructor(private readonly deps: Pick<PodSyncNeeds, 'podCgroups' | 'actuated' | 'resizeConditions' | 'logger'>) {}

  /** `{}` where nothing can be read, and for a pod without requests and limits, whose status shows nothing of it. */
  async of(pod: Pod): Promise<PodCgroupResources> {
    if (computeQosClass(pod) === 'BestEffort') return {};
    const uid = podUid(pod);
    const actuated = this.deps.actuated.of(uid);
    const last = this.readings.get(uid);
    const isResizing = this.deps.resizeConditions.of(uid).length > 0;
    if (last !== undefined && last.actuated === actuated && !isResizing) return last.values;
    try {
      const values = (await this.deps.podCgroups?.read(pod)) ?? {};
      this.readings.set(uid, { actuated, values });
      return values;
    } catch (error) {
      this.deps.logger.error('failed to read cgroup config for the pod', { pod: pod.metadata.name, error });
      return {};
    }
  }

  forget(podUid: string): void {
    this.readings.delete(podUid);
  }
}
