import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';
import type { MetricsSource } from '@podwright/metrics';
import type { CgroupSample } from './cgroup-sample.js';
import type { MachineInfo } from './machine-info.js';

export interface SampleOptions {
  /** Highest age of a cached reading; 0 always reads. Absent: upstream's housekeeping interval, 10 000 ms. */
  readonly maxAgeMs?: number;
  /** `usage` reads only what `/stats/summary` and eviction need, about half of the files. Default `full`. */
  readonly detail?: 'usage' | 'full';
  /**
   * Also reads the interfaces of the network namespace of a process of this cgroup. Meant for sandboxes; `/` always has
   * them. A list names cgroups in the same network, usually the pod's containers: without a process of its own, such as
   * with CRI-O, the sandbox has the interfaces of the first process found there.
   */
  readonly network?: boolean | readonly string[];
}

/** Paths of the cgroups with a role on the node; undefined when unknown or not configured. */
export interface CgroupRoots {
  /** Parent of all pods' cgroups; the cgroup root when there are no QoS cgroups. */
  readonly pods: string;
  readonly kubelet?: string;
  readonly runtime?: string;
  readonly system?: string;
}

/**
 * Reads usage of cgroups (v1 and v2), of the pods' network and of the machine. Upstream has this from cAdvisor every
 * ten seconds; here each call reads on demand. Paths are those inside the hierarchy, such as
 * `/kubepods/burstable/pod<uid>`; `/` is the whole machine.
 * Source: kubernetes v1.36 pkg/kubelet/cadvisor, google/cadvisor container/libcontainer.
 */
export interface CgroupStats extends Lifecycle, HealthReporter {
  /** Reads one cgroup; undefined when it does not exist (any more). */
  sample(path: string, options?: SampleOptions): Promise<CgroupSample | undefined>;
  /**
   * Reads `/` and every cgroup at and below the roots, parents before children. Leaves out one that vanishes meanwhile,
   * or that it cannot read. A path that begins with the text of a root counts too, as upstream. Concurrent callers
   * share one reading.
   */
  samples(options?: SampleOptions): Promise<readonly CgroupSample[]>;
  /**
   * Finds the cgroup of a container or sandbox by the runtime's id, with either cgroup driver; undefined when there is
   * none.
   */
  containerPath(id: string): Promise<string | undefined>;
  roots(): CgroupRoots;
  /** The machine as read at `start()`; throws `failed-precondition` before. */
  machine(): MachineInfo;
}

export const CGROUP_STATS = createToken<CgroupStats>('kubelet.cgroup-stats/v1');

/** The metrics of `/metrics/cadvisor`. */
export const CADVISOR_METRICS = createToken<MetricsSource>('kubelet.cadvisor-metrics/v1');
