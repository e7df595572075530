import type { ContainerStats, FilesystemUsage, PodSandboxStats } from '@podwright/cri-client-interface';
import { containerMetadata, sandboxMetadata, textMap } from './complete-messages.js';
import type { SimulatedContainer } from './simulated-container.js';
import type { SimulatedSandbox } from './simulated-sandbox.js';

/** What the stats of one moment have in common. */
export interface StatsMoment {
  /** In Unix nanoseconds. */
  readonly now: bigint;
  /** Where the runtime's file system is mounted. */
  readonly mountpoint: string;
}

/** The stats of a running container, whose usage is constant. */
export function containerStats(container: SimulatedContainer, moment: StatsMoment): ContainerStats {
  const { now } = moment;
  const { nanoCores = 0, memoryBytes = 1024 * 1024 } = container.program.usage ?? {};
  return {
    attributes: {
      id: container.id,
      metadata: containerMetadata(container.config.metadata),
      labels: textMap(container.config.labels),
      annotations: textMap(container.config.annotations),
    },
    ...useOf(BigInt(nanoCores), used(container, now), BigInt(memoryBytes), now),
    writableLayer: filesystem(0n, moment),
    swap: { timestamp: now, swapAvailableBytes: { value: 0n }, swapUsageBytes: { value: 0n } },
  };
}

export function sandboxStats(
  sandbox: SimulatedSandbox,
  containers: readonly SimulatedContainer[],
  moment: StatsMoment,
): PodSandboxStats {
  const { now } = moment;
  const sum = (value: (container: SimulatedContainer) => bigint): bigint =>
    containers.reduce((total, container) => total + value(container), 0n);
  const nanoCores = sum(({ program }) => BigInt(program.usage?.nanoCores ?? 0));
  const memory = sum(({ program }) => BigInt(program.usage?.memoryBytes ?? 1024 * 1024));
  return {
    attributes: {
      id: sandbox.id,
      metadata: sandboxMetadata(sandbox.config.metadata),
      labels: textMap(sandbox.config.labels),
      annotations: textMap(sandbox.config.annotations),
    },
    linux: {
      ...useOf(
        nanoCores,
        sum((container) => used(container, now)),
        memory,
        now,
      ),
      network: undefined,
      process: { timestamp: now, processCount: { value: BigInt(containers.length + 1) } },
      containers: containers.map((container) => containerStats(container, moment)),
    },
    windows: undefined,
  };
}

export function filesystem(usedBytes: bigint, { now, mountpoint }: StatsMoment): FilesystemUsage {
  return {
    timestamp: now,
    fsId: { mountpoint },
    usedBytes: { value: usedBytes },
    inodesUsed: { value: usedBytes / 4096n },
  };
}

function used(container: SimulatedContainer, now: bigint): bigint {
  return (BigInt(container.program.usage?.nanoCores ?? 0) * (now - container.startedAt)) / 1_000_000_000n;
}

function useOf(
  nanoCores: bigint,
  total: bigint,
  memory: bigint,
  now: bigint,
): Pick<ContainerStats, 'cpu' | 'memory' | 'io'> {
  const value = (amount: bigint): { value: bigint } => ({ value: amount });
  return {
    cpu: { timestamp: now, usageCoreNanoSeconds: value(total), usageNanoCores: value(nanoCores), psi: undefined },
    memory: {
      timestamp: now,
      workingSetBytes: value(memory),
      availableBytes: value(0n),
      usageBytes: value(memory),
      rssBytes: value(memory),
      pageFaults: value(0n),
      majorPageFaults: value(0n),
      psi: undefined,
    },
    io: undefined,
  };
}
