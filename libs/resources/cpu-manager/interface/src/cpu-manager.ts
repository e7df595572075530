import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';
import type { Container, Pod } from '@podwright/kube-types';
import type { HintProvider } from '@podwright/topology-manager-interface';

/**
 * Assigns exclusive CPUs to containers of Guaranteed pods. Lists of CPUs are ascending.
 * Source: kubernetes v1.36 pkg/kubelet/cm/cpumanager.
 */
export interface CpuManager extends HintProvider, Lifecycle, HealthReporter {
  /** CPUs on which the container may run: its exclusive ones, else the shared pool; undefined with policy none. */
  cpusOf(podUid: string, container: string): readonly number[] | undefined;
  /** The container's exclusive CPUs; empty when it runs in the shared pool. */
  exclusiveCpusOf(podUid: string, container: string): readonly number[];
  /** All CPUs that can be assigned exclusively: those that are not reserved. */
  allocatableCpus(): readonly number[];
  addContainer(pod: Pod, container: Container, containerId: string): void;
  /** Releases the CPUs of pods that are no longer active. */
  releaseInactive(): void;
}

export const CPU_MANAGER = createToken<CpuManager>('kubelet.cpu-manager/v1');

/**
 * Which pods and containers have exclusive CPUs and so get no CPU quota.
 * Source: kubernetes v1.36 gate DisableCPUQuotaWithExclusiveCPUs.
 */
export interface ExclusiveCpus {
  podHas(pod: Pod): boolean;
  containerHas(pod: Pod, container: Container): boolean;
}

/** Require it as optional: without a provider no container has exclusive CPUs. */
export const EXCLUSIVE_CPUS = createToken<ExclusiveCpus>('kubelet.exclusive-cpus/v1');
