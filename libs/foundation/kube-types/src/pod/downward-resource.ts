import { KubeletError } from '@podwright/errors';
import { isHugePageResource } from '../names/resource-names.js';
import type { Container, Pod } from '../objects.js';
import { parseQuantity } from '../quantity/quantity.js';
import { quantityToMilli, quantityValue } from '../quantity/quantity-values.js';
import { isPodLevelResource } from './pod-resources.js';

/** A `resourceFieldRef` of the downward API. */
export interface ResourceSelector {
  /** Absent or empty: the container that has the field. A volume has none and must name one. */
  readonly containerName?: string;
  /** Such as `limits.cpu` or `requests.hugepages-2Mi`. */
  readonly resource: string;
  readonly divisor?: string;
}

const defaultedLimits = new Set(['cpu', 'memory', 'ephemeral-storage']);

/**
 * Value of a `resourceFieldRef`: the amount divided by the divisor (default 1, for CPU one core), rounded up. For a
 * variable, `container` is the one that has it, used when the selector names none; a volume has none. When a container
 * has no limit of CPU, memory or ephemeral storage, the pod's limit applies to a variable, else the node's allocatable;
 * to a file of a volume, the node's allocatable does. Any other missing amount is 0, and so is, as upstream, the limit
 * of an init container that a variable names.
 * @throws KubeletError `not-found` for an unknown container, `invalid-argument` for an unsupported resource.
 * Source: kubernetes v1.36 pkg/api/v1/resource/helpers.go, pkg/kubelet/kubelet_resources.go.
 */
export function downwardResource(
  pod: Pod,
  container: Container | undefined,
  selector: ResourceSelector,
  nodeAllocatable: Readonly<Record<string, string>>,
): string {
  const { containerName = '' } = selector;
  const owner = ownerOf(pod, container, containerName);
  const [list, name] = split(selector.resource);
  const own = owner.resources?.[list]?.[name] ?? '0';
  const isMissing = list === 'limits' && defaultedLimits.has(name) && parseQuantity(own).nano === 0n;
  const isNamedInit = container !== undefined && containerName !== '' && !pod.spec.containers.includes(owner);
  const ofPod = container === undefined ? undefined : pod.spec.resources?.limits?.[name];
  const amount = isMissing && !isNamedInit ? (defaultLimit(name, ofPod, nodeAllocatable) ?? own) : own;
  const divisor = parseQuantity(selector.divisor ?? '0');
  const unit = divisor.nano === 0n ? parseQuantity('1') : divisor;
  if (name === 'cpu') return String(Math.ceil(quantityToMilli(amount) / quantityToMilli(unit)));
  const unitValue = quantityValue(unit);
  return String((quantityValue(amount) + unitValue - 1n) / unitValue);
}

function split(resource: string): ['limits' | 'requests', string] {
  const [list, ...rest] = resource.split('.');
  const name = rest.join('.');
  const isKnown = defaultedLimits.has(name) || isHugePageResource(name);
  if ((list === 'limits' || list === 'requests') && isKnown) return [list, name];
  throw new KubeletError(`unsupported container resource : ${resource}`, { code: 'invalid-argument' });
}

/** Skips ephemeral containers, which have no resources. */
function ownerOf({ spec }: Pod, container: Container | undefined, name: string): Container {
  if (name === '' && container !== undefined) return container;
  const found = [...spec.containers, ...(spec.initContainers ?? [])].find((candidate) => candidate.name === name);
  if (found === undefined) throw new KubeletError(`container ${name} not found`, { code: 'not-found' });
  return found;
}

/** The pod's limit counts only when the node has the resource at all. */
function defaultLimit(
  name: string,
  ofPod: string | undefined,
  nodeAllocatable: Readonly<Record<string, string>>,
): string | undefined {
  const ofNode = nodeAllocatable[name];
  if (ofNode === undefined || ofPod === undefined || !isPodLevelResource(name)) return ofNode;
  return parseQuantity(ofPod).nano === 0n ? ofNode : ofPod;
}
