import type { AllocatedResources, PodResourceState } from '@podwright/allocation-interface';
import { deepEqual, podUid, type Container, type Pod } from '@podwright/kube-types';
import type { AllocationStateConfig } from './allocation-state-config.js';
import { CheckpointedRecords } from './checkpointed-records.js';
import { resizableContainers } from './resizable-container.js';

/** {@link AllocatedResources} in `allocated_pods_state`. */
export class CheckpointedAllocatedResources extends CheckpointedRecords implements AllocatedResources {
  constructor(private readonly config: AllocationStateConfig) {
    super(config.rootDir, 'allocated_pods_state');
  }

  withAllocation(pod: Pod): Pod {
    const state = this.of(podUid(pod));
    if (state === undefined) return pod;
    const { spec } = pod;
    const containers = withResources(spec.containers, state);
    const initContainers = spec.initContainers && withResources(spec.initContainers, state);
    const samePodLevel = !this.config.podLevelResize || deepEqual(spec.resources, state.pod);
    if (samePodLevel && containers === spec.containers && initContainers === spec.initContainers) return pod;
    const { resources: wished, ...rest } = spec;
    const resources = samePodLevel ? wished : state.pod;
    return {
      ...pod,
      spec: {
        ...rest,
        containers: [...containers],
        ...(initContainers !== undefined && { initContainers: [...initContainers] }),
        ...(resources !== undefined && { resources }),
      },
    };
  }

  async store(pod: Pod): Promise<void> {
    const uid = podUid(pod);
    const before = this.of(uid);
    const granted = this.stateOf(pod);
    this.entries.set(uid, granted);
    try {
      await this.flush();
    } catch (error) {
      if (before !== undefined && this.entries.get(uid) === granted) this.entries.set(uid, before);
      throw error;
    }
  }

  private stateOf(pod: Pod): PodResourceState {
    const { resources } = pod.spec;
    return {
      containers: Object.fromEntries(
        resizableContainers(pod, this.config).map((container) => [container.name, container.resources ?? {}]),
      ),
      ...(this.config.podLevelResize && resources !== undefined && { pod: resources }),
    };
  }
}

/** Returns the same list when nothing differs. */
function withResources(
  containers: readonly Container[],
  { containers: granted }: PodResourceState,
): readonly Container[] {
  const differs = (container: Container): boolean => {
    const resources = granted[container.name];
    return resources !== undefined && !deepEqual(resources, container.resources ?? {});
  };
  if (!containers.some(differs)) return containers;
  return containers.map((container) => {
    const resources = granted[container.name];
    return resources !== undefined && differs(container) ? { ...container, resources } : container;
  });
}
