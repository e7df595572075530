import type { RuntimeService } from '@podwright/cri-client-interface';
import type { ContainerOwner } from './state/cpu-state-file.js';

/**
 * Maps the ids of the runtime's containers to their owners; knows none when the runtime does not answer. Only a state
 * file of the first version needs it.
 * Source: kubernetes v1.36 pkg/kubelet/cm/container_manager_linux.go buildContainerMapAndRunningSetFromRuntime.
 */
export async function initialContainers(
  runtime: Pick<RuntimeService, 'listPodSandbox' | 'listContainers'>,
): Promise<ContainerOwner> {
  try {
    const [{ items }, { containers }] = await Promise.all([runtime.listPodSandbox({}), runtime.listContainers({})]);
    const uids = new Map(items.map(({ id, metadata }) => [id, metadata?.uid]));
    const owners = new Map(
      containers.flatMap(({ id, podSandboxId, metadata }) => {
        const podUid = uids.get(podSandboxId);
        const container = metadata?.name;
        return podUid === undefined || container === undefined ? [] : [[id, { podUid, container }] as const];
      }),
    );
    return (id) => owners.get(id);
  } catch {
    // The migration then reports the container that it cannot find.
    return () => undefined;
  }
}
