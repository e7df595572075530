import type { RuntimeService } from '@podwright/cri-client-interface';
import type { ContainerOwner } from './state/cpu-state-file.js';

/**
 * Whose containers the runtime has, by id; none when it does not answer. Asked only for a state file of the first version.
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
    // The migration then names the container that it does not find.
    return () => undefined;
  }
}
