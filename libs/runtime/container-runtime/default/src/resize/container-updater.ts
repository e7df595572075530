import type { ActuatedResources } from '@podwright/allocation-interface';
import type { ExclusiveCpus } from '@podwright/cpu-manager-interface';
import type { RuntimeService } from '@podwright/cri-client-interface';
import { podUid, type Pod } from '@podwright/kube-types';
import type { HostFacts } from '../container/host-facts.js';
import { containerResources, type ResourceSettings } from '../container/linux-resources.js';
import { withAmounts, type ResourceAmountsOfContainer } from './resource-amounts.js';
import type { ContainerUpdate } from './resize-plan.js';

/** Gives running containers their new values and writes down what the runtime has accepted. */
export class ContainerUpdater {
  constructor(
    private readonly runtime: Pick<RuntimeService, 'updateContainerResources'>,
    private readonly actuated: Pick<ActuatedResources, 'setContainer'>,
    private readonly settings: ResourceSettings,
    private readonly host: () => Promise<HostFacts>,
    private readonly exclusiveCpus?: Pick<ExclusiveCpus, 'containerHas'> | undefined,
  ) {}

  /**
   * One after the other; rejects at the first that fails, because their order matters. `accepted` holds what each
   * container has by now, by id: the other resource of an update must stay as it is.
   */
  async update(
    pod: Pod,
    resource: 'memory' | 'cpu',
    updates: readonly ContainerUpdate[],
    accepted: Map<string, ResourceAmountsOfContainer>,
  ): Promise<void> {
    const { hugePageSizes } = await this.host();
    for (const { container, containerId, desired, current } of updates) {
      const has = accepted.get(containerId) ?? current;
      const amounts: ResourceAmountsOfContainer =
        resource === 'memory'
          ? { ...has, memoryLimit: desired.memoryLimit, memoryRequest: desired.memoryRequest }
          : { ...has, cpuLimit: desired.cpuLimit, cpuRequest: desired.cpuRequest };
      const resized = withAmounts(container, amounts);
      const linux = containerResources(pod, resized, this.settings, hugePageSizes, this.exclusiveCpus);
      await this.runtime.updateContainerResources({ containerId, linux });
      accepted.set(containerId, amounts);
      await this.actuated.setContainer(podUid(pod), container.name, resized.resources ?? {});
    }
  }
}
