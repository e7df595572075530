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
 * Tells the runtime when the CPUs of a running container have changed, as those of the shared pool do with each pinned one.
 * Source: kubernetes v1.36 pkg/kubelet/cm/cpumanager/cpu_manager.go reconcileState.
 */
export class CpuReconciler {
  /** What the runtime was told last, by container id: a container that was started anew is told again. */
  private readonly told = new Map<string, CpuSet>();
  private missed: ReadonlySet<string> = new Set();

  constructor(private readonly deps: CpuReconcilerDeps) {}

  /** The container is about to start with these CPUs. */
  created(containerId: string, cpus: CpuSet): void {
    this.told.set(containerId, cpus);
  }

  /** One look at all running containers. What fails is tried again by the next one. */
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

  // One that was just created may not be in its pod's status yet.
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
      // One that has ended keeps its CPUs: it may be on its way up again.
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
