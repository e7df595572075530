import { ContainerState, type RuntimeService } from '@podwright/cri-client-interface';
import type { Logger } from '@podwright/logging';

export const containerKey = (podUid: string, container: string): string => `${podUid}/${container}`;

/**
 * Containers that run now: they keep their devices, even without their plugin. Empty when the runtime does not answer.
 * Source: kubernetes v1.36 pkg/kubelet/cm/container_manager_linux.go buildContainerMapAndRunningSetFromRuntime.
 */
export async function runningContainers(
  runtime: Pick<RuntimeService, 'listPodSandbox' | 'listContainers'>,
  logger: Logger,
): Promise<ReadonlySet<string>> {
  const running = new Set<string>();
  try {
    const { items } = await runtime.listPodSandbox({});
    const podUids = new Map(items.map(({ id, metadata }) => [id, metadata?.uid]));
    const { containers } = await runtime.listContainers({});
    for (const { podSandboxId, metadata, state } of containers) {
      const podUid = podUids.get(podSandboxId);
      if (podUid === undefined || state !== ContainerState.CONTAINER_RUNNING) continue;
      running.add(containerKey(podUid, metadata?.name ?? ''));
    }
  } catch (error) {
    logger.error('Failed to build the list of running containers, going on without', { error });
  }
  return running;
}
