import {
  compareQuantities,
  deepEqual,
  isCriticalPod,
  podQosClass,
  quantityValue,
  type Container,
  type Pod,
} from '@podwright/kube-types';
import { resizableContainers } from '../state/resizable-container.js';
import type { AllocationManagerConfig } from './allocation-manager-config.js';

export interface Infeasibility {
  readonly message: string;
  /** Label `reason_detail` of `kubelet_pod_infeasible_resizes_total`. */
  readonly detail: string;
}

interface ResizeQuestion {
  /** The pod with the resources of its spec. */
  readonly pod: Pod;
  /** The pod with its allocated resources. */
  readonly allocated: Pod;
  readonly config: AllocationManagerConfig;
}

/**
 * Why this node, with its configuration, can never grant the resize; undefined when it may, now or later.
 * Source: kubernetes v1.36 pkg/kubelet/allocation/handlers.go, features_linux.go.
 */
export function resizeInfeasibility(question: ResizeQuestion): Infeasibility | undefined {
  return checks.map((check) => check(question)).find((reason) => reason !== undefined);
}

// In upstream's order.
const checks: readonly ((question: ResizeQuestion) => Infeasibility | undefined)[] = [
  ({ config }) =>
    config.inPlaceResize ? undefined : { message: 'InPlacePodVerticalScaling is disabled', detail: 'feature_gate_off' },
  ({ pod, allocated, config }) =>
    touchesSwap(pod, allocated, config)
      ? { message: 'In-place resize of containers with swap is not supported.', detail: 'swap_limitation' }
      : undefined,
  ({ pod, allocated, config }) =>
    config.podLevelResize || deepEqual(pod.spec.resources, allocated.spec.resources)
      ? undefined
      : { message: 'InPlacePodLevelResourcesVerticalScaling is disabled', detail: 'plr_feature_gate_off' },
  (question) => {
    const { config } = question;
    return config.cpuManagerPolicy === 'static' && !config.exclusiveCpuResize && changesGuaranteed(question, 'cpu')
      ? {
          message: 'Resize is infeasible for Guaranteed Pods alongside CPU Manager policy "static"',
          detail: 'guaranteed_pod_cpu_manager_static_policy',
        }
      : undefined;
  },
  (question) => {
    const { config } = question;
    return config.memoryManagerPolicy === 'Static' &&
      !config.exclusiveMemoryResize &&
      changesGuaranteed(question, 'memory')
      ? {
          message: 'Resize is infeasible for Guaranteed Pods alongside Memory Manager policy "Static"',
          detail: 'guaranteed_pod_memory_manager_static_policy',
        }
      : undefined;
  },
];

// Limits suffice: those of a Guaranteed pod equal its requests.
function changesGuaranteed({ pod, allocated, config }: ResizeQuestion, resource: 'cpu' | 'memory'): boolean {
  if (podQosClass(pod) !== 'Guaranteed') return false;
  const granted = new Map(resizableContainers(allocated, config).map((each) => [each.name, each]));
  return resizableContainers(pod, config).some(
    (container) =>
      compareQuantities(request(container, resource), request(granted.get(container.name), resource)) !== 0,
  );
}

// The swap limit depends on the memory request and cannot change in a running container.
function touchesSwap(pod: Pod, allocated: Pod, config: AllocationManagerConfig): boolean {
  if (!config.swapControllerAvailable || config.memorySwapBehavior !== 'LimitedSwap') return false;
  const granted = new Map(
    [...allocated.spec.containers, ...(allocated.spec.initContainers ?? [])].map((each) => [each.name, each]),
  );
  return [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].some((wished) => {
    const current = granted.get(wished.name);
    if (current === undefined || compareQuantities(request(wished, 'memory'), request(current, 'memory')) === 0)
      return false;
    const policy = current.resizePolicy?.find(({ resourceName }) => resourceName === 'memory');
    return policy?.restartPolicy !== 'RestartContainer' && (mayUseSwap(pod, wished) || mayUseSwap(allocated, current));
  });
}

/**
 * Whether the container may use swap. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container_linux.go
 * GetContainerSwapBehavior.
 */
function mayUseSwap(pod: Pod, container: Container): boolean {
  const asked = request(container, 'memory');
  const limit = container.resources?.limits?.['memory'];
  return (
    podQosClass(pod) === 'Burstable' &&
    !isCriticalPod(pod) &&
    quantityValue(asked) > 0n &&
    compareQuantities(asked, limit) !== 0
  );
}

const request = (container: Container | undefined, resource: string): string | undefined =>
  container?.resources?.requests?.[resource];
