import type {
  CgroupTree,
  ConsoleSample,
  ConsoleSnapshot,
  ImagesView,
  LaneMark,
  NodeFacts,
} from '@podwright/console-interface';
import type { NodeExplanation } from '@podwright/explain-interface';
import type { Decision, JournalEntry, JournalPod } from '@podwright/journal-interface';
import type { MadeUpPod } from './made-up-pods.js';

const mib = 1024 ** 2;
const gib = 1024 ** 3;
const minute = 60_000;

export function snapshotOf(pods: readonly MadeUpPod[], atMs: number): ConsoleSnapshot {
  // As the kubelet does, so that the snapshot of a full node stays small.
  const each = Math.ceil((300 * pods.length) / 6000);
  const history = Array.from({ length: 300 }, (_, index) => {
    const sample = sampleOf(pods, atMs - (299 - index) * 2000);
    return (299 - index) % each === 0 ? sample : { ...sample, pods: [] };
  });
  return {
    atMs,
    node: facts(atMs, pods.length),
    explanation: explanation(atMs),
    history,
    pods: pods.map(({ row }) => row),
    lanes: pods.map(({ lane }) => lane),
    images: images(pods, atMs),
    journal: journalOf(pods, atMs),
  };
}

/** Use that moves as that of a real node does: waves of several lengths. */
export function sampleOf(pods: readonly MadeUpPod[], atMs: number): ConsoleSample {
  const wave = (seconds: number): number => Math.sin((atMs / 1000 / seconds) * 2 * Math.PI);
  const level = 1 + 0.22 * wave(171) + 0.1 * wave(37) + 0.05 * wave(11);
  const cpu = pods.reduce((sum, each) => sum + each.cpuNanoCores, 3.1e8);
  return {
    atMs,
    cpuNanoCores: Math.round(cpu * level),
    memoryWorkingSetBytes: 5.1 * gib + 260 * mib * wave(420) + 30 * mib * wave(23),
    memoryAvailableBytes: 10.5 * gib - 260 * mib * wave(420),
    fsUsedBytes: 88 * gib,
    fsCapacityBytes: 100 * gib,
    imageFsUsedBytes: 23.4 * gib,
    imageFsCapacityBytes: 100 * gib,
    processes: 412,
    networkRxBytesPerSecond: 1.8 * mib * (1 + 0.6 * wave(97) * wave(31)),
    networkTxBytesPerSecond: 0.9 * mib * (1 + 0.5 * wave(71)),
    psiSomeCpu: Math.max(0, 6 + 5 * wave(171) + 2 * wave(29)),
    psiSomeMemory: Math.max(0, 1.2 * wave(211)),
    psiSomeIo: Math.max(0, 2.5 + 2.5 * wave(83)),
    pods: pods.map(({ row, cpuNanoCores, memoryWorkingSetBytes }) => ({
      ...{ uid: row.uid, memoryWorkingSetBytes },
      cpuNanoCores: Math.round(cpuNanoCores * level),
    })),
  };
}

function facts(atMs: number, pods: number): NodeFacts {
  const resource = (name: string, capacity: number, reserved: number, requested: number, limited: number) => ({
    ...{ name, capacity, reserved, requested, limited },
    allocatable: capacity - reserved,
  });
  return {
    name: 'worker-3',
    kubeletVersion: 'v1.36.0',
    kernelVersion: '6.1.0-42-amd64',
    osImage: 'Debian GNU/Linux 12 (bookworm)',
    runtime: 'containerd 2.1.4',
    cgroupVersion: 2,
    startedMs: atMs - 26 * 60 * minute,
    bootTimeMs: atMs - 19 * 24 * 60 * minute,
    resources: [
      resource('cpu', 4000, 200, 2350, 6100),
      resource('memory', 16 * gib, 0.6 * gib, 6.2 * gib, 13.5 * gib),
      resource('ephemeral-storage', 100 * gib, 10 * gib, 4 * gib, 0),
      resource('pods', 110, 0, pods, 0),
      resource('hugepages-2Mi', 0, 0, 0, 0),
    ],
    addresses: [
      { type: 'InternalIP', address: '192.0.2.13' },
      { type: 'Hostname', address: 'worker-3' },
    ],
  };
}

function explanation(atMs: number): NodeExplanation {
  const pressure = (signal: string, resource: string, available: number, capacity: number, threshold: number) => ({
    ...{ signal, resource, available, capacity, threshold, distance: available - threshold },
    ...{ gracePeriodMs: 0, met: available < threshold },
  });
  return {
    ...{ apiVersion: 'explain.podwright.dev/v1alpha1', kind: 'NodeExplanation', atMs, node: 'worker-3', ready: true },
    situation: 'near-pressure',
    headline: 'The node is Ready, and nodefs.available is near its threshold: 2 GiB left.',
    advice: 'Move load away before the kubelet evicts shop/search-5f7dd8f9c4-x2pkd.',
    conditions: [
      {
        ...{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' },
        sinceMs: atMs - 390 * minute,
      },
    ],
    ...{ runtimeErrors: [], networkErrors: [], contacts: [] },
    pressures: [
      pressure('memory.available', 'memory', 10.5 * gib, 16 * gib, 100 * mib),
      pressure('nodefs.available', 'ephemeral-storage', 12 * gib, 100 * gib, 10 * gib),
      pressure('imagefs.available', 'ephemeral-storage', 59 * gib, 100 * gib, 15 * gib),
      pressure('pid.available', 'pids', 31_900, 32_768, 1638),
    ],
    next: [
      {
        ...{ namespace: 'shop', name: 'search-5f7dd8f9c4-x2pkd', signal: 'nodefs.available' },
        ...{ usage: 3.4 * gib, request: 0, priority: 0 },
      },
      {
        ...{ namespace: 'monitoring', name: 'prometheus-0', signal: 'nodefs.available' },
        ...{ usage: 2.1 * gib, request: 0, priority: 0 },
      },
    ],
    evictions: [
      {
        ...{ atMs: atMs - 402_000, namespace: 'batch', name: 'report-29341080-w8xk2', signal: 'memory.available' },
        message: 'The node was low on resource: memory. Container report was using 1210Mi, request is 128Mi.',
      },
    ],
    imageRemovals: [
      {
        ...{ atMs: atMs - 95 * minute, image: 'registry.example/shop/frontend:1.18', cause: 'threshold' },
        ...{ sizeBytes: 312 * mib, unusedMs: 52 * 60 * minute },
      },
    ],
    ...{ imageGcs: [], outages: [], notes: [] },
  };
}

export function images(pods: readonly MadeUpPod[], atMs: number): ImagesView {
  const named = (name: string): string[] => [name, `${name.replace(/:.*/, '')}@sha256:${'1f0e'.repeat(16)}`];
  const apps = [...new Set(pods.map(({ row }) => row.labels['app'] ?? row.name))].slice(0, 40);
  return {
    imageFsUsedBytes: 23.4 * gib,
    imageFsCapacityBytes: 100 * gib,
    images: [
      ...apps.map((app, index) => ({
        ...{
          id: `sha256:${index.toString(16).padStart(64, 'a')}`,
          names: named(`registry.example/shop/${app}:1.${index}`),
        },
        ...{ sizeBytes: Math.round((900 - index * 17) * mib), pinned: false },
        users: pods
          .filter(({ row }) => row.phase === 'Running' && (row.labels['app'] ?? row.name) === app)
          .map(({ row }) => ({ namespace: row.namespace, pod: row.name, container: 'app' })),
      })),
      {
        id: `sha256:${'b'.repeat(64)}`,
        names: named('registry.k8s.io/pause:3.10'),
        sizeBytes: 0.7 * mib,
        pinned: true,
        users: [],
      },
    ],
    pulls: [
      { image: 'registry.example/ml/trainer:2.4', pod: 'ml/trainer-0', sinceMs: atMs - 95_000, state: 'pulling' },
      { image: 'registry.example/ml/notebook:9', pod: 'ml/notebook-0', sinceMs: atMs - 12_000, state: 'queued' },
    ],
  };
}

export function journalOf(pods: readonly MadeUpPod[], atMs: number): readonly JournalEntry[] {
  const all = pods.flatMap(({ row, lane }) => {
    const pod: JournalPod = { uid: row.uid, namespace: row.namespace, name: row.name };
    return lane.marks.map(({ kind, atMs: at, text, of = 'app' }) => ({
      at,
      decision: decisionOf({ kind, atMs: at, text, of }, pod, row.restarts),
    }));
  });
  const node: Decision = { kind: 'lease.renewed', gapMs: 41_000 };
  const sorted = [...all, { at: atMs - 300_000, decision: node }].sort((a, b) => a.at - b.at);
  return sorted.slice(-200).map(({ at, decision }, index) => ({ ...decision, seq: 1000 + index * 3, atMs: at }));
}

function decisionOf(
  { kind, atMs, text, of: container = 'app' }: LaneMark,
  pod: JournalPod,
  restarts: number,
): Decision {
  const of = { pod, container, containerId: `c-${pod.uid}` };
  switch (kind) {
    case 'received':
      return { kind: 'pod.received', pod, source: 'api', operation: 'add', generation: 1 };
    case 'probe-failed':
      return {
        ...{
          kind: 'probe.result',
          ...of,
          probe: 'readiness',
          outcome: 'failure',
          output: text.replace('readiness probe: ', ''),
        },
        ...{ inARow: 3, threshold: 3, changed: true },
      };
    case 'exited': {
      const [, exitCode = '0', reason = '', message] = /^exit code (\d+), (\w+)(?:: (.*))?$/.exec(text) ?? [];
      return {
        ...{ kind: 'container.exited', ...of, exitCode: Number(exitCode), reason, restartCount: restarts },
        ...(message !== undefined && { message }),
      };
    }
    case 'failed':
      return {
        ...{ kind: 'volume.failed', pod, volume: container, plugin: 'kubernetes.io/nfs', operation: 'unmount' },
        ...{ failures: 2, error: text.replace('unmount: ', ''), retryAtMs: atMs + 128_000 },
      };
    case 'oom': {
      const cgroup = `/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${pod.uid}.slice/cri-containerd-5e.scope`;
      return {
        ...{ kind: 'oom.killed', podUid: pod.uid, containerId: of.containerId, process: 'java', pid: 48_213 },
        ...{ cgroup, limitCgroup: cgroup, usageBytes: 256 * mib, limitBytes: 256 * mib },
      };
    }
    case 'evicted': {
      const { uid, namespace, name } = pod;
      return {
        ...{ kind: 'eviction', time: new Date(atMs).toISOString(), dryRun: false, reclaimFor: 'memory.available' },
        ...{ signals: [], thresholds: [], conditions: ['MemoryPressure'], reclaimed: [], rankings: [] },
        evicted: [{ uid, namespace, name, signal: 'memory.available', message: text, gracePeriodSeconds: 0 }],
      };
    }
    case 'ended':
      return { kind: 'pod.ended', pod, endingMs: 31_000 };
    default:
      return {
        ...{ kind: 'container.started', ...of, type: 'regular', restartCount: restarts },
        ...{ imageMs: 2300, durationMs: 412 },
      };
  }
}

export function cgroupsOf(pods: readonly MadeUpPod[], atMs: number): CgroupTree {
  const group = (path: string, processes: number, cpu: number, memory: number, more: object = {}) => ({
    ...{ path, cpuNanoCores: cpu, memoryWorkingSetBytes: memory, pids: processes },
    ...more,
  });
  const running = pods.filter(({ memoryWorkingSetBytes }) => memoryWorkingSetBytes > 0);
  const sum = (pick: (pod: MadeUpPod) => number): number => running.reduce((total, pod) => total + pick(pod), 0);
  const [cpu, memory] = [sum((pod) => pod.cpuNanoCores), sum((pod) => pod.memoryWorkingSetBytes)];
  return {
    atMs,
    groups: [
      group('/', 206 + 7 * running.length, cpu + 3e8, memory + 800 * mib),
      group('/system.slice', 84, 2.1e8, 480 * mib),
      group('/system.slice/containerd.service', 38, 1.2e8, 210 * mib),
      group('/system.slice/kubelet.service', 23, 2.4e7, 92 * mib),
      group('/kubepods.slice', 7 * running.length, cpu, memory, { memoryLimitBytes: 15.4 * gib }),
      group('/kubepods.slice/kubepods-burstable.slice', 7 * running.length, cpu, memory),
      ...running.flatMap(({ row, cpuNanoCores, memoryWorkingSetBytes }) => {
        const path = `/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${row.uid.replaceAll('-', '_')}.slice`;
        const pod = `${row.namespace}/${row.name}`;
        const limit = row.memoryLimitBytes === undefined ? {} : { memoryLimitBytes: row.memoryLimitBytes };
        return [
          group(path, 7, cpuNanoCores, memoryWorkingSetBytes, { pod, ...limit }),
          group(
            `${path}/cri-containerd-${'5e'.repeat(12)}.scope`,
            6,
            cpuNanoCores * 0.99,
            memoryWorkingSetBytes * 0.98,
            {
              ...{ pod, container: 'app', cpuThrottledRatio: cpuNanoCores > 5e8 ? 0.31 : 0 },
              ...limit,
            },
          ),
        ];
      }),
    ],
  };
}
