import type { ActuatedResources } from '@podwright/allocation-interface';
import type {
  ContainerUpdate,
  LinuxResources,
  ResourceAmountsOfContainer,
} from '@podwright/container-runtime-interface';
import type { RuntimeService } from '@podwright/cri-client-interface';
import { rethrowAsRpc } from '@podwright/errors';
import { podUid, type Pod } from '@podwright/kube-types';
import { withAmounts } from './resource-amounts.js';

export interface ContainerUpdaterDeps {
  readonly runtime: Pick<RuntimeService, 'updateContainerResources'>;
  readonly actuated: Pick<ActuatedResources, 'setContainer'>;
  readonly resources: Pick<LinuxResources, 'ofContainer'>;
}

/** Updates the resources of running containers and records what the runtime accepted. */
export class ContainerUpdater {
  constructor(private readonly deps: ContainerUpdaterDeps) {}

  /**
   * Updates one container after the other and rejects at the first failure, because the order matters; what the runtime
   * has accepted until then is on record. `accepted` has the current amounts by container id, so that an update of one
   * resource keeps the other.
   */
  async update(
    pod: Pod,
    resource: 'memory' | 'cpu',
    updates: readonly ContainerUpdate[],
    accepted: Map<string, ResourceAmountsOfContainer>,
  ): Promise<void> {
    try {
      for (const { container, containerId, desired, current } of updates) {
        const has = accepted.get(containerId) ?? current;
        const amounts: ResourceAmountsOfContainer =
          resource === 'memory'
            ? { ...has, memoryLimit: desired.memoryLimit, memoryRequest: desired.memoryRequest }
            : { ...has, cpuLimit: desired.cpuLimit, cpuRequest: desired.cpuRequest };
        const linux = await this.deps.resources.ofContainer(pod, withAmounts(container, amounts));
        await this.deps.runtime.updateContainerResources({ containerId, linux }).catch(rethrowAsRpc);
        accepted.set(containerId, amounts);
      }
    } catch (error) {
      await this.record(pod, updates, accepted);
      throw error;
    }
  }

  /** Writes down what the runtime has accepted: a container on record is not updated again, nor its pod's cgroup. */
  async record(
    pod: Pod,
    updates: readonly ContainerUpdate[],
    accepted: ReadonlyMap<string, ResourceAmountsOfContainer>,
  ): Promise<void> {
    for (const { container, containerId } of updates) {
      const amounts = accepted.get(containerId);
      if (amounts === undefined) continue;
      await this.deps.actuated.setContainer(
        podUid(pod),
        container.name,
        withAmounts(container, amounts).resources ?? {},
      );
    }
  }
}
