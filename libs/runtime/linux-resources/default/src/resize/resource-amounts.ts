import type { ResourceAmountsOfContainer } from '@podwright/container-runtime-interface';
import {
  formatQuantity,
  quantityFromMilli,
  quantityFromUnits,
  quantityToMilli,
  quantityValue,
  type Container,
  type ResourceRequirements,
} from '@podwright/kube-types';

/** Amounts of a container. With pod-level resize, the pod's limit applies where the container has none. */
export function amountsOf(
  container: ResourceRequirements = {},
  pod: ResourceRequirements | undefined,
): ResourceAmountsOfContainer {
  const { limits = {}, requests = {} } = container;
  const memoryLimit = quantityValue(limits['memory']);
  const cpuLimit = quantityToMilli(limits['cpu']);
  return {
    memoryLimit: memoryLimit === 0n ? quantityValue(pod?.limits?.['memory']) : memoryLimit,
    memoryRequest: quantityValue(requests['memory']),
    cpuLimit: cpuLimit === 0 ? quantityToMilli(pod?.limits?.['cpu']) : cpuLimit,
    cpuRequest: quantityToMilli(requests['cpu']),
  };
}

/** A copy of the container with these amounts; other resources stay. */
export function withAmounts(container: Container, amounts: ResourceAmountsOfContainer): Container {
  const cpu = (milli: number): string => formatQuantity(quantityFromMilli(milli));
  const memory = (bytes: bigint): string => formatQuantity(quantityFromUnits(bytes, 'BinarySI'));
  const { limits, requests } = container.resources ?? {};
  return {
    ...container,
    resources: {
      ...container.resources,
      limits: { ...limits, cpu: cpu(amounts.cpuLimit), memory: memory(amounts.memoryLimit) },
      requests: { ...requests, cpu: cpu(amounts.cpuRequest), memory: memory(amounts.memoryRequest) },
    },
  };
}
