import type { Container, ContainerPort, ContainerStatus, Pod, ResourceRequirements } from '@podwright/kube-types';
import { canonicalQuantity, goQuote } from '@podwright/kube-types';
import { describeEnvironment } from './describe-environment.js';
import { describeProbe } from './describe-probe.js';
import { describeState } from './describe-state.js';
import type { Description } from './description.js';

/** The containers of one kind. Source: kubernetes v1.36 kubectl/pkg/describe/describe.go describeContainers. */
export function describeContainers(
  description: Description,
  label: string,
  pod: Pod,
  containers: readonly Container[],
  statuses: readonly ContainerStatus[] = [],
): void {
  description.line(0, `${label}:${containers.length === 0 ? ' <none>' : ''}`);
  for (const container of containers) {
    const status = statuses.find(({ name }) => name === container.name);
    describeIdentity(description, container, status);
    describeWords(description, 'Command', container.command);
    describeWords(description, 'Args', container.args);
    if (status !== undefined) describeState(description, status);
    describeResources(description, container.resources, 2);
    for (const [title, probe] of [
      ['Liveness', container.livenessProbe],
      ['Readiness', container.readinessProbe],
      ['Startup', container.startupProbe],
    ] as const) {
      if (probe !== undefined) description.line(2, `${title}:\t${describeProbe(probe)}`);
    }
    describeEnvironment(description, pod, container);
    describeMounts(description, container);
  }
}

function describeIdentity(description: Description, container: Container, status: ContainerStatus | undefined): void {
  description.line(1, `${container.name}:`);
  if (status !== undefined) description.line(2, `Container ID:\t${status.containerID ?? ''}`);
  description.line(2, `Image:\t${container.image ?? ''}`);
  if (status !== undefined) description.line(2, `Image ID:\t${status.imageID}`);
  describePorts(description, 'Port', container.ports, ({ containerPort }) => containerPort);
  describePorts(description, 'Host Port', container.ports, ({ hostPort = 0 }) => hostPort);
  const profile = container.securityContext?.seccompProfile;
  if (profile === undefined) return;
  description.line(2, `SeccompProfile:\t${profile.type}`);
  if (profile.type === 'Localhost') description.line(3, `LocalhostProfile:\t${profile.localhostProfile ?? ''}`);
}

function describePorts(
  description: Description,
  title: string,
  ports: readonly ContainerPort[] = [],
  numberOf: (port: ContainerPort) => number,
): void {
  const texts = ports.map((port) => {
    const name = (port.name ?? '') === '' ? '' : ` (${port.name ?? ''})`;
    return `${numberOf(port)}/${port.protocol ?? ''}${name}`;
  });
  description.line(2, `${title}${texts.length > 1 ? 's' : ''}:\t${texts.join(', ') || '<none>'}`);
}

function describeWords(description: Description, title: string, words: readonly string[] = []): void {
  if (words.length === 0) return;
  description.line(2, `${title}:`);
  for (const line of words.flatMap((word) => word.split('\n'))) description.line(3, line);
}

export function describeResources(
  description: Description,
  resources: ResourceRequirements | undefined,
  level: number,
): void {
  for (const [title, amounts] of [
    ['Limits', resources?.limits],
    ['Requests', resources?.requests],
  ] as const) {
    const entries = Object.entries(amounts ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
    if (entries.length > 0) description.line(level, `${title}:`);
    for (const [name, amount] of entries) description.line(level + 1, `${name}:\t${canonicalQuantity(amount)}`);
  }
}

function describeMounts(description: Description, { volumeMounts = [], volumeDevices = [] }: Container): void {
  description.line(2, `Mounts:${volumeMounts.length === 0 ? '\t<none>' : ''}`);
  const byPath = [...volumeMounts].sort((a, b) => (a.mountPath < b.mountPath ? -1 : 1));
  for (const { mountPath, name, readOnly, subPath = '' } of byPath) {
    const flags = [readOnly === true ? 'ro' : 'rw', ...(subPath === '' ? [] : [`path=${goQuote(subPath)}`])];
    description.line(3, `${mountPath} from ${name} (${flags.join(',')})`);
  }
  if (volumeDevices.length === 0) return;
  // Upstream puts the `<none>` of missing mounts here too.
  description.line(2, `Devices:${volumeMounts.length === 0 ? '\t<none>' : ''}`);
  for (const { devicePath, name } of [...volumeDevices].sort((a, b) => (a.devicePath < b.devicePath ? -1 : 1))) {
    description.line(3, `${devicePath} from ${name}`);
  }
}
