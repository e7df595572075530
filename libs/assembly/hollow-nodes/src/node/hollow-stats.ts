import type { SimulatedRuntime } from '@podwright/simulated-runtime';
import type { ContainerStats, FsStats, PodStats, Summary } from '@podwright/stats-interface';
import { formatRfc3339, type Clock } from '@podwright/time';

export interface HollowStatsDeps {
  readonly clock: Clock;
  readonly runtime: SimulatedRuntime;
  readonly nodeName: string;
  readonly memoryBytes: number;
}

const gibibyte = 2 ** 30;

/** The usage of a hollow node: the sum of what its containers are said to use, on a disk that is never short. */
export function hollowSummary({ clock, runtime, nodeName, memoryBytes }: HollowStatsDeps): () => Promise<Summary> {
  const startedMs = clock.now();
  return async () => {
    const now = clock.now();
    const time = formatRfc3339(now);
    const pods = podsOf(runtime, now);
    const cores = pods.reduce((sum, pod) => sum + (pod.cpu?.usageNanoCores ?? 0), 0);
    const spent = pods.reduce((sum, pod) => sum + (pod.cpu?.usageCoreNanoSeconds ?? 0), 0);
    const usageBytes = pods.reduce((sum, pod) => sum + (pod.memory?.usageBytes ?? 0), 0);
    const fs = disk(time);
    return {
      node: {
        nodeName,
        startTime: formatRfc3339(startedMs),
        cpu: { time, usageNanoCores: cores, usageCoreNanoSeconds: spent },
        memory: {
          ...{ time, usageBytes, workingSetBytes: usageBytes, rssBytes: usageBytes },
          availableBytes: Math.max(0, memoryBytes - usageBytes),
        },
        fs,
        runtime: { imageFs: fs, containerFs: fs },
      },
      pods,
    };
  };
}

const disk = (time: string): FsStats => ({
  time,
  ...{ availableBytes: 90 * gibibyte, capacityBytes: 100 * gibibyte, usedBytes: 10 * gibibyte },
  ...{ inodesFree: 6_000_000, inodes: 6_553_600, inodesUsed: 553_600 },
});

function podsOf(runtime: SimulatedRuntime, now: number): readonly PodStats[] {
  const time = formatRfc3339(now);
  const running = new Map<string, ContainerStats[]>();
  for (const container of runtime.control.containers()) {
    if (!container.running) continue;
    const { nanoCores = 0, memoryBytes = 0 } = container.program.usage ?? {};
    const startedMs = Number(container.startedAt / 1_000_000n);
    const of = running.get(container.podSandboxId) ?? [];
    of.push({
      name: container.name,
      startTime: formatRfc3339(startedMs),
      cpu: {
        time,
        usageNanoCores: nanoCores,
        usageCoreNanoSeconds: Math.round(nanoCores * ((now - startedMs) / 1_000)),
      },
      memory: { time, usageBytes: memoryBytes, workingSetBytes: memoryBytes, rssBytes: memoryBytes },
    });
    running.set(container.podSandboxId, of);
  }
  return runtime.control.sandboxes.flatMap((sandbox) => {
    const containers = running.get(sandbox.id);
    if (!sandbox.ready || containers === undefined) return [];
    const sum = (value: (of: ContainerStats) => number | undefined): number =>
      containers.reduce((total, of) => total + (value(of) ?? 0), 0);
    const { name = '', namespace = '', uid = '' } = sandbox.config.metadata ?? {};
    const usageBytes = sum(({ memory }) => memory?.usageBytes);
    return {
      podRef: { name, namespace, uid },
      startTime: formatRfc3339(Number(sandbox.createdAt / 1_000_000n)),
      containers,
      cpu: {
        time,
        usageNanoCores: sum(({ cpu }) => cpu?.usageNanoCores),
        usageCoreNanoSeconds: sum(({ cpu }) => cpu?.usageCoreNanoSeconds),
      },
      memory: { time, usageBytes, workingSetBytes: usageBytes, rssBytes: usageBytes },
    };
  });
}
