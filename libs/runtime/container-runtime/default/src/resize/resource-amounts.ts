import {
  formatQuantity,
  quantityFromMilli,
  quantityFromUnits,
  quantityToMilli,
  quantityValue,
  type Container,
  type ResourceRequirements,
} from '@podwright/kube-types';

/** What can be resized; zero stands for absent. Memory in bytes, CPU in thousandths. */
export interface ResourceAmountsOfContainer {
  readonly memoryLimit: bigint;
  readonly memoryRequest: bigint;
  readonly cpuLimit: number;
  readonly cpuRequest: number;
}

/** Without a limit of its own a container has the pod's, when pod-level resources can be resized. */
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

/** The container with these amounts in place of its own; other resources stay. */
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
