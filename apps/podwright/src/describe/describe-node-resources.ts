import type { Pod, Quantity, ResourceAmounts } from '@podwright/kube-types';
import {
  addResources,
  formatQuantity,
  isHugePageResource,
  parseQuantity,
  parseResources,
  podLimits,
  podRequests,
} from '@podwright/kube-types';
import { age } from '../output/human-duration.js';
import type { Description } from './description.js';

/** Source: kubernetes v1.36 kubectl/pkg/describe/describe.go describeNodeResource. */
export function describeNodeResources(
  description: Description,
  pods: readonly Pod[],
  allocatable: Readonly<Record<string, string>>,
): void {
  const available = parseResources(allocatable);
  const share = (amounts: ResourceAmounts, name: string): string => {
    const amount = amounts[name] ?? parseQuantity('0');
    return `${formatQuantity(amount)} (${percentage(amount, available[name])}%)`;
  };
  description.line(0, `Non-terminated Pods:\t(${pods.length} in total)`);
  description.line(1, 'Namespace\tName\t\tCPU Requests\tCPU Limits\tMemory Requests\tMemory Limits\tAge');
  description.line(1, '---------\t----\t\t------------\t----------\t---------------\t-------------\t---');
  for (const pod of pods) {
    const [requests, limits] = [podRequests(pod), podLimits(pod)];
    const { namespace = '', name = '', creationTimestamp } = pod.metadata;
    const shares = ['cpu', 'memory'].flatMap((resource) => [share(requests, resource), share(limits, resource)]);
    description.line(1, [namespace, name, '', ...shares, age(creationTimestamp, description.nowMs)].join('\t'));
  }
  const total = (of: (pod: Pod) => ResourceAmounts): ResourceAmounts =>
    pods.map((pod) => of(pod)).reduce((sum, amounts) => addResources(sum, amounts), {});
  const [requests, limits] = [total(podRequests), total(podLimits)];
  description.line(0, 'Allocated resources:\n  (Total limits may be over 100 percent, i.e., overcommitted.)');
  description.line(1, 'Resource\tRequests\tLimits');
  description.line(1, '--------\t--------\t------');
  const names = Object.keys(allocatable).sort();
  for (const name of ['cpu', 'memory', 'ephemeral-storage', ...names.filter(isHugePageResource)]) {
    description.line(1, `${name}\t${share(requests, name)}\t${share(limits, name)}`);
  }
  for (const name of names.filter(isExtended)) {
    const text = (amounts: ResourceAmounts): string => formatQuantity(amounts[name] ?? parseQuantity('0'));
    description.line(1, `${name}\t${text(requests)}\t${text(limits)}`);
  }
}

function isExtended(name: string): boolean {
  return !isHugePageResource(name) && !['cpu', 'memory', 'ephemeral-storage', 'pods'].includes(name);
}

function percentage(amount: Quantity, of: Quantity | undefined): number {
  return of === undefined || of.nano === 0n ? 0 : Number((amount.nano * 100n) / of.nano);
}
