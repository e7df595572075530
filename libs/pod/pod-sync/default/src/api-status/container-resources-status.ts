import { quotaUsToMilliCpu, sharesToMilliCpu } from '@podwright/cgroup-files';
import {
  formatQuantity,
  quantityFromUnits,
  quantityValue,
  type Container,
  type ContainerStatus,
  type ResourceRequirements,
} from '@podwright/kube-types';
import type { RuntimeContainerStatus } from '@podwright/container-runtime-interface';
import {
  keepResource,
  requirements,
  showCpu,
  smallestLimitMilli,
  smallestRequestMilli,
  type ShownResources,
} from './shown-resources.js';

type ResourceStatus = Pick<ContainerStatus, 'resources' | 'allocatedResources'>;

/**
 * The resources that the container has: live values of a running one; where the runtime reports none, those of
 * `previous`, an earlier status of the same container, else the spec's. No runtime reports the memory request: it is that of
 * `actuated`, what the runtime was told last. `container` has its allocated resources.
 * Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go convertContainerStatusResources.
 */
export function containerResourcesStatus(
  container: Container,
  record: RuntimeContainerStatus,
  previous?: ContainerStatus,
  actuated?: ResourceRequirements,
): ResourceStatus {
  const spec = container.resources ?? {};
  const allocated = spec.requests === undefined ? {} : { allocatedResources: spec.requests };
  const claims = spec.claims === undefined ? {} : { claims: spec.claims };
  if (record.state !== 'running')
    return { resources: { ...claims, ...requirements(spec.requests ?? {}, spec.limits ?? {}) }, ...allocated };
  const live = record.cri.resources?.linux;
  const shown = previous?.state?.running === undefined ? {} : (previous.resources ?? {});
  const limits: ShownResources = { ...spec.limits };
  const requests: ShownResources = { ...spec.requests };
  if (spec.limits !== undefined) {
    const milli = quotaUsToMilliCpu(Number(live?.cpuQuota ?? 0n), Number(live?.cpuPeriod ?? 0n));
    showCpu(limits, milli, smallestLimitMilli, shown.limits);
    const bytes = live?.memoryLimitInBytes ?? 0n;
    if (bytes <= 0n) keepResource(limits, 'memory', shown.limits);
    // Keep the spec's notation of an equal quantity.
    else if (quantityValue(limits['memory']) !== bytes)
      limits['memory'] = formatQuantity(quantityFromUnits(bytes, 'BinarySI'));
  }
  if (spec.requests !== undefined) {
    showCpu(requests, sharesToMilliCpu(Number(live?.cpuShares ?? 0n)), smallestRequestMilli, shown.requests);
    const told = actuated?.requests?.['memory'];
    keepResource(requests, 'memory', quantityValue(told) > 0n ? actuated?.requests : shown.requests);
  }
  return { resources: { ...claims, ...requirements(requests, limits) }, ...allocated };
}
