import { availableParallelism, totalmem } from 'node:os';
import { KubeletError } from '@podwright/errors';
import { findContainer, parseQuantity, quantityToMilli, quantityValue } from '@podwright/kube-types';
import type { Container, Pod } from '@podwright/kube-types';

interface ResourceSelector {
  readonly containerName?: string;
  readonly resource: string;
  readonly divisor?: string;
}

/**
 * Value of a `resourceFieldRef`: the amount divided by the divisor, rounded up; CPU in cores unless the divisor says
 * otherwise. A missing limit of CPU, memory or ephemeral storage is that of the node.
 * Source: kubernetes v1.36 pkg/api/v1/resource/helpers.go ExtractContainerResourceValue, kubelet_resources.go.
 */
export function containerResource(
  pod: Pod,
  container: Container,
  selector: ResourceSelector,
  nodeAllocatable: Readonly<Record<string, string>>,
): string {
  const [list, name] = split(selector.resource);
  const owner = ownerOf(pod, container, selector.containerName ?? '');
  const own = owner.resources?.[list]?.[name];
  const amount = own ?? (list === 'limits' ? nodeLimit(name, nodeAllocatable) : '0');
  const divisor = parseQuantity(selector.divisor ?? '0');
  const unit = divisor.nano === 0n ? parseQuantity('1') : divisor;
  if (name === 'cpu') return String(Math.ceil(quantityToMilli(amount) / quantityToMilli(unit)));
  const divisorValue = quantityValue(unit);
  return String((quantityValue(amount) + divisorValue - 1n) / divisorValue);
}

function split(resource: string): ['limits' | 'requests', string] {
  const [list, ...rest] = resource.split('.');
  const name = rest.join('.');
  const known = ['cpu', 'memory', 'ephemeral-storage'].includes(name) || name.startsWith('hugepages-');
  if ((list === 'limits' || list === 'requests') && known) return [list, name];
  throw new KubeletError(`unsupported container resource : ${resource}`, { code: 'invalid-argument' });
}

function ownerOf(pod: Pod, container: Container, name: string): Container {
  if (name === '' || name === container.name) return container;
  const found = findContainer(pod, name);
  if (found === undefined) throw new KubeletError(`container ${name} not found`, { code: 'not-found' });
  return found.container as Container;
}

function nodeLimit(name: string, nodeAllocatable: Readonly<Record<string, string>>): string {
  const given = nodeAllocatable[name];
  if (given !== undefined) return given;
  if (name === 'cpu') return String(availableParallelism());
  return name === 'memory' ? String(totalmem()) : '0';
}
