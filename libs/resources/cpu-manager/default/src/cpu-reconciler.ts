import type { RuntimeService } from '@podwright/cri-client-interface';
import { podRef, podUid, type ContainerStatus, type Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { cpuSetsEqual, formatCpuList, type CpuSet } from '@podwright/machine';
import type { ActivePods } from '@podwright/pod-workers-interface';
import type { StatusManager } from '@podwright/status-interface';

export interface CpuReconcilerDeps {
  readonly runtime: Pick<RuntimeService, 'updateContainerResources'>;
  readonly activePods: ActivePods;
  readonly statuses: Pick<StatusManager, 'getPodStatus'>;
  readonly logger: Logger;
  /** CPUs on which the container may run. */
  readonly cpusOf: (podUid: string, container: string) => CpuSet;
}

/**
 * Updates a running container when its CPUs have changed; CPUs of the shared pool change with each exclusive
 * allocation.
 * Source: kubernetes v1.36 pkg/kubelet/cm/cpumanager/cpu_manager.go reconcileState.
 */
export class CpuReconciler {
  /** The CPUs last sent to the runtime, by container id: a restarted container has a new id and is updated again. */
  private readonly told = new Map<string, CpuSet>();
  private missed: ReadonlySet<string> = new Set();

  constructor(private readonly deps: CpuReconcilerDeps) {}

  /** Records that the container starts with these CPUs. */
  created(containerId: string, cpus: CpuSet): void {
    this.told.set(containerId, cpus);
  }

  /** Reconciles all running containers once. The next run retries what fails. */
  async run(signal: AbortSignal): Promise<void> {
    const seen = new Set<string>();
    for (const pod of this.deps.activePods.list()) {
      for (const { name, containerId } of this.runningIn(pod, seen)) {
        if (signal.aborted) return;
        await this.bringInLine(pod, name, containerId, signal);
      }
    }
    this.forget(seen);
  }

  // The pod's status may not list a container yet that was just created.
  private forget(seen: ReadonlySet<string>): void {
    const missing = [...this.told.keys()].filter((containerId) => !seen.has(containerId));
    for (const containerId of missing) if (this.missed.has(containerId)) this.told.delete(containerId);
    this.missed = new Set(missing);
  }

  private runningIn(pod: Pod, seen: Set<string>): readonly { readonly name: string; readonly containerId: string }[] {
    const status = this.deps.statuses.getPodStatus(podUid(pod));
    const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
    return [...(pod.spec.initContainers ?? []), ...pod.spec.containers].flatMap(({ name }) => {
      const found = statuses.find((candidate) => candidate.name === name);
      const containerId = bareId(found);
      if (containerId === undefined) return [];
      seen.add(containerId);
      // A terminated container keeps its CPUs: it may be about to restart.
      return found?.state?.running === undefined ? [] : [{ name, containerId }];
    });
  }

  private async bringInLine(pod: Pod, name: string, containerId: string, signal: AbortSignal): Promise<void> {
    const { runtime, cpusOf, logger } = this.deps;
    const cpus = cpusOf(podUid(pod), name);
    const told = this.told.get(containerId);
    if (cpus.length === 0 || (told !== undefined && cpuSetsEqual(told, cpus))) return;
    const cpusetCpus = formatCpuList(cpus);
    try {
      await runtime.updateContainerResources({ containerId, linux: { cpusetCpus } }, { signal });
      this.told.set(containerId, cpus);
    } catch (error) {
      if (signal.aborted) return;
      logger.error('Failed to update the CPUs of a container, trying again later', {
        pod: podRef(pod),
        container: name,
        containerId,
        cpus: cpusetCpus,
        error,
      });
    }
  }
}

function bareId(status: ContainerStatus | undefined): string | undefined {
  const [, id] = /^[^:]+:\/\/(.+)$/.exec(status?.containerID ?? '') ?? [];
  return id;
}
