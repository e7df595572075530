import type { PodResourceState } from '@podwright/allocation-interface';
import type { ContainerUpdate, PodResize, ResizePlan } from '@podwright/container-runtime-interface';
import {
  deepEqual,
  isStaticPod,
  quantityToMilli,
  quantityValue,
  type Container,
  type Pod,
  type ResourceRequirements,
} from '@podwright/kube-types';
import { amountsOf } from './resource-amounts.js';

export interface ResizeRules {
  /** Gate InPlacePodLevelResourcesVerticalScaling. */
  readonly podLevelResize: boolean;
  /** Gate InPlacePodVerticalScalingInitContainers. */
  readonly initContainerResize: boolean;
}

/**
 * Collects the differences between allocated and actual resources, one running container after the other. Source:
 * kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodResizeAction.
 */
export class ComparingResizePlan implements ResizePlan {
  readonly resizesInitContainers: boolean;
  private readonly memory: ContainerUpdate[] = [];
  private readonly cpu: ContainerUpdate[] = [];
  private updatePod = false;
  private updatePodLevel = false;
  private readonly resizable: boolean;

  constructor(
    private readonly pod: Pod,
    private readonly actuated: PodResourceState | undefined,
    private readonly rules: ResizeRules,
  ) {
    this.resizesInitContainers = rules.initContainerResize;
    this.resizable = !isStaticPod(pod);
  }

  /** Compares a running container. False when it must restart to get its allocated resources. */
  keeps(container: Container, containerId: string): boolean {
    if (!this.resizable) return true;
    const podLevel = (resources: ResourceRequirements | undefined) =>
      this.rules.podLevelResize ? resources : undefined;
    const desired = amountsOf(container.resources, podLevel(this.pod.spec.resources));
    // Without a record the amounts are unknown, and an update too many does no harm.
    const current = amountsOf(this.actuated?.containers[container.name], podLevel(this.actuated?.pod));
    const memoryChanges =
      desired.memoryLimit !== current.memoryLimit || desired.memoryRequest !== current.memoryRequest;
    const cpuChanges = desired.cpuLimit !== current.cpuLimit || desired.cpuRequest !== current.cpuRequest;
    if ((memoryChanges && restarts(container, 'memory')) || (cpuChanges && restarts(container, 'cpu'))) {
      this.updatePod = true;
      return false;
    }
    const update: ContainerUpdate = { container, containerId, desired, current };
    if (memoryChanges) {
      const grows =
        desired.memoryLimit === current.memoryLimit
          ? desired.memoryRequest > current.memoryRequest
          : desired.memoryLimit > current.memoryLimit;
      this.memory[grows ? 'push' : 'unshift'](update);
    }
    if (cpuChanges) {
      const grows =
        desired.cpuLimit === current.cpuLimit
          ? desired.cpuRequest > current.cpuRequest
          : desired.cpuLimit > current.cpuLimit;
      this.cpu[grows ? 'push' : 'unshift'](update);
    }
    return true;
  }

  /** Compares the pod-level resources. */
  comparePodLevel(): void {
    const { resources } = this.pod.spec;
    if (!this.resizable || !this.rules.podLevelResize || resources === undefined) return;
    this.updatePodLevel = !deepEqual(podLevelAmounts(resources), podLevelAmounts(this.actuated?.pod));
  }

  /** Undefined when there is nothing to resize. */
  result(): PodResize | undefined {
    const { memory, cpu, updatePod, updatePodLevel } = this;
    if (memory.length === 0 && cpu.length === 0 && !updatePod && !updatePodLevel) return undefined;
    return { memory, cpu, updatePod, updatePodLevel };
  }
}

function restarts({ resizePolicy }: Container, resource: 'cpu' | 'memory'): boolean {
  return resizePolicy?.find(({ resourceName }) => resourceName === resource)?.restartPolicy === 'RestartContainer';
}

function podLevelAmounts({ limits, requests }: ResourceRequirements = {}): readonly string[] {
  return [limits, requests].flatMap((list) => [
    String(quantityValue(list?.['memory'])),
    String(quantityToMilli(list?.['cpu'])),
  ]);
}
