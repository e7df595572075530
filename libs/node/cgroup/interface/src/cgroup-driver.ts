import { createToken, type Lifecycle } from '@podwright/assembly-interface';

export type CgroupDriverName = 'cgroupfs' | 'systemd';

/**
 * Who manages cgroups on this node: the kubelet and the runtime must agree about it. Source: kubernetes v1.36
 * cmd/kubelet/app/server.go getCgroupDriverFromCRI.
 */
export interface CgroupDriver extends Lifecycle {
  /** Does not change once it is started. Throws `failed-precondition` before. */
  name(): CgroupDriverName;
}

/** Optional for whoever needs the name: without a provider the configured one holds. */
export const CGROUP_DRIVER = createToken<CgroupDriver>('kubelet.cgroup-driver/v1');
