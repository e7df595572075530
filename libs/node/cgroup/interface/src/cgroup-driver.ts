import { createToken, type Lifecycle } from '@podwright/assembly-interface';

export type CgroupDriverName = 'cgroupfs' | 'systemd';

/**
 * The cgroup driver of this node. Kubelet and runtime must use the same one. Source: kubernetes v1.36
 * cmd/kubelet/app/server.go getCgroupDriverFromCRI.
 */
export interface CgroupDriver extends Lifecycle {
  /** Does not change after `start()`. Throws `failed-precondition` before. */
  name(): CgroupDriverName;
}

/**
 * Called once, with a reason to log, when the runtime was unreachable at the start and later reports another driver
 * than the kubelet assumed. The kubelet must restart, because the names of all its cgroups are wrong. Optional: without
 * it, an unreachable runtime fails the start, as upstream.
 */
export type OnCgroupDriverMismatch = (reason: string) => void;

export const CGROUP_DRIVER_MISMATCH = createToken<OnCgroupDriverMismatch>('kubelet.cgroup-driver-mismatch/v1');

/** Require it as optional: without a provider, use the configured driver. */
export const CGROUP_DRIVER = createToken<CgroupDriver>('kubelet.cgroup-driver/v1');
