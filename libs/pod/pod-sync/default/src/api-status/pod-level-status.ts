import { quotaUsToMilliCpu, sharesToMilliCpu } from '@podwright/cgroup-files';
import type { PodCgroupResources } from '@podwright/cgroup-interface';
import {
  formatQuantity,
  formatResources,
  podLimits,
  podRequests,
  quantityFromUnits,
  type Pod,
  type PodStatus,
  type ResourceRequirements,
} from '@podwright/kube-types';
import {
  keepResource,
  requirements,
  showCpu,
  smallestLimitMilli,
  smallestRequestMilli,
  type ShownResources,
} from './shown-resources.js';

/** True when the status shows what the pod's cgroup has instead of what the pod was allocated. */
export const showsCgroup = ({ status }: Pod): boolean => status?.phase === 'Running';

/**
 * Resources of the pod as a whole: what it was allocated and, once the API server has seen it run, what its cgroup has.
 * `cgroup`: the values in effect, `{}` when unknown. Where it has no limit, the value of `old` stays; without `old`, as
 * after a restart, that of the API object. `pod` has its allocated resources. Source: kubernetes v1.36
 * pkg/kubelet/kubelet_pods.go convertToAPIPodLevelResourcesStatus.
 */
export function podLevelStatus(
  pod: Pod,
  cgroup: PodCgroupResources,
  old: PodStatus | undefined,
): Pick<PodStatus, 'allocatedResources' | 'resources'> {
  const allocated = formatResources(podRequests(pod));
  const before = old ?? pod.status;
  const resources = showsCgroup(pod)
    ? inEffect(pod, cgroup, before?.phase === 'Running' ? before.resources : undefined, allocated)
    : requirements(allocated, formatResources(podLimits(pod)));
  return { resources, ...(Object.keys(allocated).length > 0 && { allocatedResources: allocated }) };
}

function inEffect(
  { spec }: Pod,
  { cpuShares = 0, cpuQuotaUs = 0, cpuPeriodUs = 0, memoryLimitBytes = 0 }: PodCgroupResources,
  old: ResourceRequirements | undefined,
  allocated: Readonly<ShownResources>,
): ResourceRequirements {
  const requests: ShownResources = { ...spec.resources?.requests };
  const limits: ShownResources = { ...spec.resources?.limits };
  showCpu(requests, sharesToMilliCpu(cpuShares), smallestRequestMilli, old?.requests);
  if (requests['memory'] === undefined) keepResource(requests, 'memory', allocated);
  keepResource(requests, 'memory', old?.requests);
  showCpu(limits, quotaUsToMilliCpu(cpuQuotaUs, cpuPeriodUs), smallestLimitMilli, old?.limits);
  if (memoryLimitBytes > 0) limits['memory'] = formatQuantity(quantityFromUnits(memoryLimitBytes, 'BinarySI'));
  else keepResource(limits, 'memory', old?.limits);
  return requirements(requests, limits);
}
