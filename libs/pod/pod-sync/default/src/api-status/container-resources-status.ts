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

// Smallest CPU values that cgroups can express (shares 2, quota 1000 us); below them the spec's own value is shown.
const smallestRequestMilli = 2n;
const smallestLimitMilli = 10n;

/**
 * What the container has been given: live values of a running one, the spec's where the runtime reports none.
 * Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go convertContainerStatusResources.
 */
export function containerResourcesStatus(container: Container, record: RuntimeContainerStatus): ResourceStatus {
  const spec = container.resources ?? {};
  const allocated = spec.requests === undefined ? {} : { allocatedResources: spec.requests };
  if (record.state !== 'running') return { resources: plain(spec), ...allocated };
  const live = record.cri.resources?.linux;
  const limits: Record<string, string> = { ...spec.limits };
  const requests: Record<string, string> = { ...spec.requests };
  if (live !== undefined && limits['cpu'] !== undefined && live.cpuQuota > 0n && live.cpuPeriod > 0n) {
    const milli = (live.cpuQuota * 1000n) / live.cpuPeriod;
    if (milli > smallestLimitMilli || milliOf(limits['cpu']) > smallestLimitMilli) limits['cpu'] = formatMilli(milli);
  }
  if (live !== undefined && requests['cpu'] !== undefined && live.cpuShares >= 2n) {
    const milli = (live.cpuShares * 1000n + 1023n) / 1024n;
    if (milli > smallestRequestMilli || milliOf(requests['cpu']) > smallestRequestMilli)
      requests['cpu'] = formatMilli(milli);
  }
  if (live !== undefined && limits['memory'] !== undefined && live.memoryLimitInBytes > 0n) {
    const same = BigInt(quantityToMilli(parseQuantity(limits['memory']))) === live.memoryLimitInBytes * 1000n;
    if (!same) limits['memory'] = live.memoryLimitInBytes.toString();
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

const milliOf = (quantity: string): bigint => BigInt(quantityToMilli(parseQuantity(quantity)));
const formatMilli = (milli: bigint): string => formatQuantity(parseQuantity(`${milli}m`));
