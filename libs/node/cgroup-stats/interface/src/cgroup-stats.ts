import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';
import type { MetricsSource } from '@podwright/metrics';
import type { CgroupSample } from './cgroup-sample.js';
import type { MachineInfo } from './machine-info.js';

export interface SampleOptions {
  /** A reading no older than this may answer; 0 always reads. Absent: upstream's housekeeping interval, 10 000 ms. */
  readonly maxAgeMs?: number;
}

/**
 * Readings of cgroups (v1 and v2), of the network of pods and of the machine: what upstream has from cAdvisor, made on demand
 * instead of every ten seconds. Paths are those inside the hierarchy, such as `/kubepods/burstable/pod<uid>`; `/` is the
 * machine as a whole. Source: kubernetes v1.36 pkg/kubelet/cadvisor, google/cadvisor container/libcontainer.
 */
export interface CgroupStats extends Lifecycle, HealthReporter {
  /** Undefined when there is no such cgroup (any more). */
  sample(path: string, options?: SampleOptions): Promise<CgroupSample | undefined>;
  /** `/`, and every cgroup at and below the watched roots (pods, kubelet, runtime, system). One reading serves all callers at a time. */
  samples(options?: SampleOptions): Promise<readonly CgroupSample[]>;
  /** The cgroup of a container or sandbox by the runtime's id, whatever the cgroup driver; undefined when it does not run. */
  containerPath(id: string): Promise<string | undefined>;
  machine(): MachineInfo;
}

export const CGROUP_STATS = createToken<CgroupStats>('kubelet.cgroup-stats/v1');

/** What `/metrics/cadvisor` shows. */
export const CADVISOR_METRICS = createToken<MetricsSource>('kubelet.cadvisor-metrics/v1');
