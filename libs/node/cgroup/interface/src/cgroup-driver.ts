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

/**
 * Called once, with a reason to log, when a runtime that was away at the start turns out to have another driver than the one that
 * was assumed: the kubelet must start anew, as the names of all its cgroups are wrong. Optional: without it a runtime that is away
 * fails the start, as upstream.
 */
export type OnCgroupDriverMismatch = (reason: string) => void;

export const CGROUP_DRIVER_MISMATCH = createToken<OnCgroupDriverMismatch>('kubelet.cgroup-driver-mismatch/v1');

/** Optional for whoever needs the name: without a provider the configured one holds. */
export const CGROUP_DRIVER = createToken<CgroupDriver>('kubelet.cgroup-driver/v1');
