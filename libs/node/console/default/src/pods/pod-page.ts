import type {
  ContainerPage,
  PodEvent,
  PodPage,
  ProbeAnswer,
  ProbePage,
  VolumePage,
} from '@podwright/console-interface';
import type { RecordedEvent } from '@podwright/events-interface';
import type { PodExplanation } from '@podwright/explain-interface';
import type { JournalEntry } from '@podwright/journal-interface';
import {
  isSidecar,
  parseResources,
  visitContainers,
  type ContainerStatus,
  type ContainerVisit,
  type Pod,
  type PodStatus,
  type Probe,
  type Volume,
} from '@podwright/kube-types';
import type { PodStats } from '@podwright/stats-interface';
import { allStatuses, amounts } from './pod-row.js';

const mostDecisions = 200;
// kubectl keeps what it applied there, with the environment of every container.
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

export interface PodKnowledge {
  readonly explanation: PodExplanation;
  /** Absent for a pod that the kubelet no longer has. */
  readonly pod?: Pod | undefined;
  readonly status?: PodStatus | undefined;
  readonly stats?: PodStats | undefined;
  /** Names of the volumes in the spec that are mounted. */
  readonly mounted: ReadonlySet<string>;
  readonly events: readonly RecordedEvent[];
  /** All that is known of the pod, oldest first. */
  readonly entries: readonly JournalEntry[];
}

export function podPage(known: PodKnowledge): Omit<PodPage, 'row' | 'lane'> {
  const { explanation, pod, events, entries } = known;
  const { [lastApplied]: _, ...annotations } = pod?.metadata.annotations ?? {};
  return {
    explanation,
    containers: pod === undefined ? [] : [...visitContainers(pod.spec)].map((visit) => containerPage(visit, known)),
    volumes: (pod?.spec.volumes ?? []).map((volume) => volumePage(volume, known)),
    events: events.map(podEvent).sort((a, b) => b.atMs - a.atMs),
    decisions: entries.slice(-mostDecisions).reverse(),
    labels: pod?.metadata.labels ?? {},
    annotations,
  };
}

function containerPage({ container, kind }: ContainerVisit, { status, stats, entries }: PodKnowledge): ContainerPage {
  const { name, image = '', resources, volumeMounts = [], ports = [] } = container;
  const of = allStatuses(status).find((each) => each.name === name);
  const use = stats?.containers.find((each) => each.name === name);
  const { imageID = '' } = of ?? {};
  const cpuNanoCores = use?.cpu?.usageNanoCores;
  const memoryWorkingSetBytes = use?.memory?.workingSetBytes;
  return {
    ...{ name, image, type: kind === 'init' && isSidecar(container) ? 'sidecar' : kind },
    ...(imageID !== '' && { imageId: imageID }),
    state: stateText(of),
    ...amounts(parseResources(resources?.requests), 'Request'),
    ...amounts(parseResources(resources?.limits), 'Limit'),
    ...(cpuNanoCores !== undefined && { cpuNanoCores }),
    ...(memoryWorkingSetBytes !== undefined && { memoryWorkingSetBytes }),
    mounts: volumeMounts.map(({ name: volume, mountPath, readOnly = false }) => ({
      volume,
      path: mountPath,
      readOnly,
    })),
    ports: ports.map(({ name: port, containerPort, protocol = 'TCP' }) => ({
      ...(port !== undefined && { name: port }),
      ...{ port: containerPort, protocol },
    })),
    probes: probePages(container, entries),
  };
}

function stateText(status: ContainerStatus | undefined): string {
  const { waiting, running, terminated } = status?.state ?? {};
  if (running !== undefined) return 'running';
  const [state, reason] = terminated === undefined ? ['waiting', waiting?.reason] : ['terminated', terminated.reason];
  return reason === undefined || reason === '' ? state : `${state}: ${reason}`;
}

function probePages(container: ContainerVisit['container'], entries: readonly JournalEntry[]): readonly ProbePage[] {
  const probes = [
    ['startup', container.startupProbe],
    ['liveness', container.livenessProbe],
    ['readiness', container.readinessProbe],
  ] as const;
  return probes.flatMap(([probe, spec]): readonly ProbePage[] => {
    if (spec === undefined) return [];
    const { periodSeconds = 10, timeoutSeconds = 1, failureThreshold = 3 } = spec;
    const history = entries.flatMap((entry): readonly ProbeAnswer[] =>
      entry.kind === 'probe.result' && entry.container === container.name && entry.probe === probe
        ? [{ atMs: entry.atMs, outcome: entry.outcome, output: entry.output }]
        : [],
    );
    const times = { periodMs: 1000 * periodSeconds, timeoutMs: 1000 * timeoutSeconds };
    return [{ probe, how: probeText(spec), ...times, failureThreshold, history }];
  });
}

function probeText({ httpGet, tcpSocket, grpc, exec }: Probe): string {
  if (httpGet !== undefined) {
    const scheme = httpGet.scheme === 'HTTPS' ? 'https-get' : 'http-get';
    return `${scheme} ${httpGet.host ?? ''}:${String(httpGet.port)}${httpGet.path ?? '/'}`;
  }
  if (tcpSocket !== undefined) return `tcp-socket ${tcpSocket.host ?? ''}:${String(tcpSocket.port)}`;
  if (grpc !== undefined) return `grpc :${grpc.port}${grpc.service ? ` ${grpc.service}` : ''}`;
  return `exec ${(exec?.command ?? []).join(' ')}`;
}

function volumePage(volume: Volume, { stats, mounted }: PodKnowledge): VolumePage {
  const { name, ...source } = volume;
  const kind = Object.entries(source).find(([, value]) => value !== undefined)?.[0] ?? 'emptyDir';
  const { usedBytes, capacityBytes } = stats?.volume?.find((each) => each.name === name) ?? {};
  return {
    ...{ name, kind, mounted: mounted.has(name) },
    ...(usedBytes !== undefined && { usedBytes }),
    ...(capacityBytes !== undefined && { capacityBytes }),
  };
}

function podEvent({ lastAtMs, type, reason, message, count, fieldPath }: RecordedEvent): PodEvent {
  const of = /\{(.+)\}$/.exec(fieldPath)?.[1];
  return { ...{ atMs: lastAtMs, type, reason, message, count }, ...(of !== undefined && { of }) };
}
