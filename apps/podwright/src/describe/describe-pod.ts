import type { Container, CoreEvent, Pod, Toleration, TopologySpreadConstraint } from '@podwright/kube-types';
import { isTerminalPhase, podQosClass } from '@podwright/kube-types';
import { age } from '../output/human-duration.js';
import { rfc1123Time } from '../output/rfc1123-time.js';
import { describeContainers, describeResources } from './describe-container.js';
import { describeEvents } from './describe-events.js';
import { describeVolumes } from './describe-volumes.js';
import { Description } from './description.js';

/** `events` is undefined when they are not asked for. Source: kubernetes v1.36 kubectl/pkg/describe/describe.go describePod. */
export function describePod(pod: Pod, events: readonly CoreEvent[] | undefined, nowMs: number): string {
  const description = new Description(nowMs);
  const { spec, status } = pod;
  describeHead(description, pod);
  describeStatus(description, pod);
  if (spec.resources !== undefined) {
    description.line(0, 'Resources:');
    describeResources(description, spec.resources, 1);
  }
  if ((spec.initContainers ?? []).length > 0) {
    describeContainers(description, 'Init Containers', pod, spec.initContainers ?? [], status?.initContainerStatuses);
  }
  describeContainers(description, 'Containers', pod, spec.containers, status?.containerStatuses);
  const ephemeral = (spec.ephemeralContainers ?? []) as readonly Container[];
  if (ephemeral.length > 0) {
    describeContainers(description, 'Ephemeral Containers', pod, ephemeral, status?.ephemeralContainerStatuses);
  }
  describeConditions(description, pod);
  describeVolumes(description, spec.volumes);
  description.line(0, `QoS Class:\t${podQosClass(pod)}`);
  description.pairs('Node-Selectors', spec.nodeSelector);
  const tolerations = [...(spec.tolerations ?? [])].sort((a, b) => ((a.key ?? '') < (b.key ?? '') ? -1 : 1));
  description.listed('Tolerations', tolerations.map(tolerationText));
  const spread = [...(spec.topologySpreadConstraints ?? [])].sort((a, b) => (a.topologyKey < b.topologyKey ? -1 : 1));
  if (spread.length > 0) description.listed('Topology Spread Constraints', spread.map(spreadText));
  if (events !== undefined) describeEvents(description, events);
  return description.text();
}

function describeHead(description: Description, { metadata, spec, status }: Pod): void {
  description.line(0, `Name:\t${metadata.name ?? ''}`);
  description.line(0, `Namespace:\t${metadata.namespace ?? ''}`);
  if (spec.priority !== undefined) description.line(0, `Priority:\t${spec.priority}`);
  optional(description, 'Priority Class Name', spec.priorityClassName);
  optional(description, 'Runtime Class Name', spec.runtimeClassName);
  optional(description, 'Service Account', spec.serviceAccountName);
  const { nodeName = '' } = spec;
  description.line(0, `Node:\t${nodeName === '' ? '<none>' : `${nodeName}/${status?.hostIP ?? ''}`}`);
  if (status?.startTime !== undefined) description.line(0, `Start Time:\t${rfc1123Time(status.startTime)}`);
  description.pairs('Labels', metadata.labels);
  description.annotations(metadata.annotations);
}

function describeStatus(description: Description, { metadata, spec, status }: Pod): void {
  const phase = status?.phase ?? '';
  if (metadata.deletionTimestamp !== undefined && !isTerminalPhase(phase)) {
    description.line(0, `Status:\tTerminating (lasts ${age(metadata.deletionTimestamp, description.nowMs)})`);
    description.line(0, `Termination Grace Period:\t${metadata.deletionGracePeriodSeconds ?? 0}s`);
  } else {
    description.line(0, `Status:\t${phase}`);
  }
  optional(description, 'Reason', status?.reason);
  optional(description, 'Message', status?.message);
  const profile = spec.securityContext?.seccompProfile;
  optional(description, 'SeccompProfile', profile?.type);
  if (profile?.type === 'Localhost') description.line(0, `LocalhostProfile:\t${profile.localhostProfile ?? ''}`);
  description.line(0, `IP:\t${status?.podIP ?? ''}`);
  const ips = status?.podIPs ?? [];
  description.line(0, `IPs:${ips.length === 0 ? '\t<none>' : ''}`);
  for (const { ip } of ips) description.line(1, `IP:\t${ip}`);
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  optional(description, 'Controlled By', owner && `${owner.kind}/${owner.name}`);
  optional(description, 'NominatedNodeName', status?.nominatedNodeName);
}

function optional(description: Description, title: string, value: string | undefined): void {
  if (value !== undefined && value !== '') description.line(0, `${title}:\t${value}`);
}

function describeConditions(description: Description, { spec, status }: Pod): void {
  const conditions = status?.conditions ?? [];
  const gates = spec.readinessGates ?? [];
  if (gates.length > 0) description.line(0, 'Readiness Gates:\n  Type\tStatus');
  for (const { conditionType } of gates) {
    const met = conditions.find(({ type }) => type === conditionType)?.status ?? '<none>';
    description.line(1, `${conditionType} \t${met} `);
  }
  if (conditions.length > 0) description.line(0, 'Conditions:\n  Type\tStatus');
  for (const condition of conditions) description.line(1, `${condition.type} \t${condition.status} `);
}

function tolerationText({ key = '', value = '', effect = '', operator, tolerationSeconds }: Toleration): string {
  const text = `${key}${value === '' ? '' : `=${value}`}${effect === '' ? '' : `:${effect}`}`;
  const exists = operator === 'Exists' && value === '' ? (text === '' ? 'op=Exists' : ' op=Exists') : '';
  return `${text}${exists}${tolerationSeconds === undefined ? '' : ` for ${tolerationSeconds}s`}`;
}

function spreadText({ topologyKey, whenUnsatisfiable, maxSkew, labelSelector }: TopologySpreadConstraint): string {
  const labels = Object.entries(labelSelector?.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  const expressions = (labelSelector?.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
    if (operator === 'Exists') return key;
    if (operator === 'DoesNotExist') return `!${key}`;
    return `${key} ${operator.toLowerCase()} (${[...values].sort().join(',')})`;
  });
  const selector = [...labels.sort(), ...expressions].join(',') || '<none>';
  const suffix = labelSelector === undefined ? '' : ` for selector ${selector}`;
  return `${topologyKey}:${whenUnsatisfiable} when max skew ${maxSkew} is exceeded${suffix}`;
}
