import type { CoreEvent, Node, Pod, Taint } from '@podwright/kube-types';
import { canonicalQuantity } from '@podwright/kube-types';
import { nodeRoles } from '../output/columns/object-columns.js';
import { rfc1123Time } from '../output/rfc1123-time.js';
import { describeEvents } from './describe-events.js';
import { describeNodeResources } from './describe-node-resources.js';
import { Description } from './description.js';

/** `pods` are those that have not ended. Source: kubernetes v1.36 kubectl/pkg/describe/describe.go describeNode. */
export function describeNode(
  node: Node,
  pods: readonly Pod[],
  events: readonly CoreEvent[] | undefined,
  nowMs: number,
): string {
  const description = new Description(nowMs);
  const { metadata, spec, status } = node;
  description.line(0, `Name:\t${metadata?.name ?? ''}`);
  description.line(0, `Roles:\t${nodeRoles(metadata?.labels).join(',') || '<none>'}`);
  description.pairs('Labels', metadata?.labels);
  description.annotations(metadata?.annotations);
  description.line(0, `CreationTimestamp:\t${rfc1123Time(metadata?.creationTimestamp)}`);
  description.listed('Taints', [...(spec?.taints ?? [])].map(taintText).sort());
  description.line(0, `Unschedulable:\t${spec?.unschedulable ?? false}`);
  describeConditions(description, status?.conditions ?? []);
  description.line(0, 'Addresses:');
  for (const { type, address } of status?.addresses ?? []) description.line(1, `${type}:\t${address}`);
  describeAmounts(description, 'Capacity', status?.capacity);
  describeAmounts(description, 'Allocatable', status?.allocatable);
  describeSystem(description, node);
  describeNodeResources(description, pods, status?.allocatable ?? status?.capacity ?? {});
  if (events !== undefined) describeEvents(description, events);
  return description.text();
}

function taintText({ key, value = '', effect }: Taint): string {
  return `${key}${value === '' ? '' : `=${value}`}:${effect}`;
}

type Conditions = NonNullable<NonNullable<Node['status']>['conditions']>;

function describeConditions(description: Description, conditions: Conditions): void {
  if (conditions.length === 0) return;
  description.line(0, 'Conditions:\n  Type\tStatus\tLastHeartbeatTime\tLastTransitionTime\tReason\tMessage');
  description.line(1, '----\t------\t-----------------\t------------------\t------\t-------');
  for (const { type, status, lastHeartbeatTime, lastTransitionTime, reason = '', message = '' } of conditions) {
    const times = `${rfc1123Time(lastHeartbeatTime)} \t${rfc1123Time(lastTransitionTime)}`;
    description.line(1, `${type} \t${status} \t${times} \t${reason} \t${message}`);
  }
}

function describeAmounts(
  description: Description,
  title: string,
  amounts: Readonly<Record<string, string>> = {},
): void {
  const names = Object.keys(amounts).sort();
  if (names.length > 0) description.line(0, `${title}:`);
  for (const name of names) description.line(1, `${name}:\t${canonicalQuantity(amounts[name] ?? '0')}`);
}

function describeSystem(description: Description, { spec, status }: Node): void {
  const info = status?.nodeInfo;
  description.line(0, 'System Info:');
  for (const [title, value] of [
    ['Machine ID', info?.machineID],
    ['System UUID', info?.systemUUID],
    ['Boot ID', info?.bootID],
    ['Kernel Version', info?.kernelVersion],
    ['OS Image', info?.osImage],
    ['Operating System', info?.operatingSystem],
    ['Architecture', info?.architecture],
    ['Container Runtime Version', info?.containerRuntimeVersion],
    ['Kubelet Version', info?.kubeletVersion],
  ] as const) {
    description.line(1, `${title}:\t${value ?? ''}`);
  }
  if ((spec?.podCIDR ?? '') !== '') description.line(0, `PodCIDR:\t${spec?.podCIDR ?? ''}`);
  if ((spec?.podCIDRs ?? []).length > 0) description.line(0, `PodCIDRs:\t${(spec?.podCIDRs ?? []).join(',')}`);
  if ((spec?.providerID ?? '') !== '') description.line(0, `ProviderID:\t${spec?.providerID ?? ''}`);
}
