import { podQosClass, podUid, type Pod } from '@podwright/kube-types';
import { cgroupName } from '@podwright/cgroup-files';
import type { KubeCgroupConfig } from './kube-cgroup-config.js';

export const tiers = ['Guaranteed', 'Burstable', 'BestEffort'] as const;
export type Tier = (typeof tiers)[number];

/** Paths of the pod and QoS cgroups below each mount point. */
export class PodCgroupPaths {
  constructor(private readonly config: Pick<KubeCgroupConfig, 'cgroupDriver' | 'cgroupRoot' | 'cgroupsPerQos'>) {}

  /** Empty when QoS cgroups are off: the runtime decides. */
  parentOf(pod: Pod): string {
    return this.config.cgroupsPerQos ? this.ofPod(podQosClass(pod), podUid(pod)) : '';
  }

  /** `kubepods` itself for Guaranteed, which has no cgroup of its own. */
  ofTier(tier: Tier): string {
    return this.path(this.components(tier));
  }

  ofPod(tier: Tier, uid: string): string {
    return this.path([...this.components(tier), `pod${uid}`]);
  }

  private components(tier: Tier): readonly string[] {
    return tier === 'Guaranteed' ? ['kubepods'] : ['kubepods', tier.toLowerCase()];
  }

  private path(components: readonly string[]): string {
    return cgroupName(this.config.cgroupDriver, this.config.cgroupRoot, components);
  }
}
