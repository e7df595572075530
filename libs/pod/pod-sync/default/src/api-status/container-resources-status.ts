import { quotaUsToMilliCpu, sharesToMilliCpu } from '@podwright/cgroup-files';
import {
  formatQuantity,
  parseQuantity,
  quantityToMilli,
  type Container,
  type ContainerStatus,
  type ResourceRequirements,
} from '@podwright/kube-types';
import type { RuntimeContainerStatus } from '@podwright/container-runtime-interface';

type ResourceStatus = Pick<ContainerStatus, 'resources' | 'allocatedResources'>;

// Smallest CPU values that cgroups can express (shares 2, quota 1000 us); below them the status shows the spec's value.
const smallestRequestMilli = 2n;
const smallestLimitMilli = 10n;

/**
 * The resources that the container has: live values of a running one; where the runtime reports none, those of
 * `previous`, an earlier status of the same container, else the spec's. `container` has its allocated resources.
 * Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go convertContainerStatusResources.
 */
export function containerResourcesStatus(
  container: Container,
  record: RuntimeContainerStatus,
  previous?: ContainerStatus,
): ResourceStatus {
  const spec = container.resources ?? {};
  const allocated = spec.requests === undefined ? {} : { allocatedResources: spec.requests };
  if (record.state !== 'running') return { resources: plain(spec), ...allocated };
  const live = record.cri.resources?.linux;
  const shown = previous?.state?.running === undefined ? {} : (previous.resources ?? {});
  const limits: Record<string, string> = { ...spec.limits };
  const requests: Record<string, string> = { ...spec.requests };
  const keep = (of: Record<string, string>, name: string, before: Record<string, string> | undefined): void => {
    const value = before?.[name];
    if (value !== undefined) of[name] = value;
  };
  if (spec.limits !== undefined) {
    const milli = BigInt(quotaUsToMilliCpu(Number(live?.cpuQuota ?? 0n), Number(live?.cpuPeriod ?? 0n)));
    if (milli === 0n) keep(limits, 'cpu', shown.limits);
    else if (milli > smallestLimitMilli || milliOf(limits['cpu']) > smallestLimitMilli)
      limits['cpu'] = formatMilli(milli);
    const bytes = live?.memoryLimitInBytes ?? 0n;
    if (bytes <= 0n) keep(limits, 'memory', shown.limits);
    // Keep the spec's notation of an equal quantity.
    else if (milliOf(limits['memory']) !== bytes * 1000n) limits['memory'] = bytes.toString();
  }
  if (spec.requests !== undefined) {
    const milli = BigInt(sharesToMilliCpu(Number(live?.cpuShares ?? 0n)));
    if (milli === 0n) keep(requests, 'cpu', shown.requests);
    else if (milli > smallestRequestMilli || milliOf(requests['cpu']) > smallestRequestMilli)
      requests['cpu'] = formatMilli(milli);
  }
  const resources: ResourceRequirements = {
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(Object.keys(requests).length > 0 && { requests }),
  };
  return { resources, ...allocated };
}

function plain({ limits, requests }: ResourceRequirements): ResourceRequirements {
  return { ...(limits && { limits }), ...(requests && { requests }) };
}

const milliOf = (quantity: string | undefined): bigint =>
  quantity === undefined ? 0n : BigInt(quantityToMilli(parseQuantity(quantity)));
const formatMilli = (milli: bigint): string => formatQuantity(parseQuantity(`${milli}m`));
