import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';
import type { MetricsSource } from '@podwright/metrics';
import type { CgroupSample } from './cgroup-sample.js';
import type { MachineInfo } from './machine-info.js';

export interface SampleOptions {
  /** A reading no older than this may answer; 0 always reads. Absent: upstream's housekeeping interval, 10 000 ms. */
  readonly maxAgeMs?: number;
  /** `usage` reads about half of the files: what `/stats/summary` and eviction need. Default `full`. */
  readonly detail?: 'usage' | 'full';
  /** Also the interfaces of the network namespace that a process of this cgroup is in. Ask for sandboxes only; `/` always has them. */
  readonly network?: boolean;
}

/** Cgroups with a role on the node; undefined = not known, or nobody named one. */
export interface CgroupRoots {
  /** Of all pods; the cgroup root when there are no QoS cgroups. */
  readonly pods: string;
  readonly kubelet?: string;
  readonly runtime?: string;
  readonly system?: string;
}

/**
 * Readings of cgroups (v1 and v2), of the network of pods and of the machine: what upstream has from cAdvisor, made on demand
 * instead of every ten seconds. Paths are those inside the hierarchy, such as `/kubepods/burstable/pod<uid>`; `/` is the
 * machine as a whole. Source: kubernetes v1.36 pkg/kubelet/cadvisor, google/cadvisor container/libcontainer.
 */
export interface CgroupStats extends Lifecycle, HealthReporter {
  /** Undefined when there is no such cgroup (any more). */
  sample(path: string, options?: SampleOptions): Promise<CgroupSample | undefined>;
  /**
   * `/`, and every cgroup at and below the roots, parents before children; one that vanishes meanwhile is left out. Those whose path
   * begins with the text of a root count too, as upstream has it. Concurrent callers share one reading.
   */
  samples(options?: SampleOptions): Promise<readonly CgroupSample[]>;
  /** The cgroup of a container or sandbox by the runtime's id, whatever the cgroup driver; undefined when it does not run. */
  containerPath(id: string): Promise<string | undefined>;
  roots(): CgroupRoots;
  /** Read at start; throws `failed-precondition` before. */
  machine(): MachineInfo;
}

export const CGROUP_STATS = createToken<CgroupStats>('kubelet.cgroup-stats/v1');

/** What `/metrics/cadvisor` shows. */
export const CADVISOR_METRICS = createToken<MetricsSource>('kubelet.cadvisor-metrics/v1');
