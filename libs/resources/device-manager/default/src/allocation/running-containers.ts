import { ContainerState, type RuntimeService } from '@podwright/cri-client-interface';
import type { Logger } from '@podwright/logging';

/**
 * Containers that run when the kubelet starts: they keep their devices, even without their plugin. Source: kubernetes v1.36
 * pkg/kubelet/cm/container_manager_linux.go buildContainerMapAndRunningSetFromRuntime.
 */
export class RunningContainers {
  private readonly names = new Map<string, Set<string>>();

  /** Empty when the runtime does not answer. */
  static async read(
    runtime: Pick<RuntimeService, 'listPodSandbox' | 'listContainers'>,
    logger: Logger,
  ): Promise<RunningContainers> {
    const running = new RunningContainers();
    try {
      const { items } = await runtime.listPodSandbox({});
      const podUids = new Map(items.map(({ id, metadata }) => [id, metadata?.uid]));
      const { containers } = await runtime.listContainers({});
      for (const { podSandboxId, metadata, state } of containers) {
        const podUid = podUids.get(podSandboxId);
        if (podUid === undefined || state !== ContainerState.CONTAINER_RUNNING) continue;
        running.add(podUid, metadata?.name ?? '');
      }
    } catch (error) {
      logger.error('Failed to build the list of running containers, going on without', { error });
    }
    return running;
  }

  /** Without a container: any of the pod. */
  has(podUid: string, container?: string): boolean {
    const names = this.names.get(podUid);
    return names !== undefined && (container === undefined || names.has(container));
  }

  private add(podUid: string, container: string): void {
    this.names.set(podUid, (this.names.get(podUid) ?? new Set()).add(container));
  }
}
