import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';
import type { Container, Pod } from '@podwright/kube-types';
import type { HintProvider } from '@podwright/topology-manager-interface';

/** Gives whole CPUs to containers of Guaranteed pods. Source: kubernetes v1.36 pkg/kubelet/cm/cpumanager. CPU lists are ascending numbers. */
export interface CpuManager extends HintProvider, Lifecycle, HealthReporter {
  /** CPUs on which the container may run: its own, else the shared pool; undefined when nothing is set (policy none). */
  cpusOf(podUid: string, container: string): readonly number[] | undefined;
  /** The container's own CPUs; empty for one in the shared pool. */
  exclusiveCpusOf(podUid: string, container: string): readonly number[];
  /** What can be given out at all. */
  allocatableCpus(): readonly number[];
  addContainer(pod: Pod, container: Container, containerId: string): void;
  /** Takes back what pods hold that are not active any more. */
  releaseInactive(): void;
}

export const CPU_MANAGER = createToken<CpuManager>('kubelet.cpu-manager/v1');

/** Who has CPUs of its own, so that no CPU quota is set. Source: kubernetes v1.36 gate DisableCPUQuotaWithExclusiveCPUs. */
export interface ExclusiveCpus {
  podHas(pod: Pod): boolean;
  containerHas(pod: Pod, container: Container): boolean;
}

/** Optional: without a provider nobody has. */
export const EXCLUSIVE_CPUS = createToken<ExclusiveCpus>('kubelet.exclusive-cpus/v1');
