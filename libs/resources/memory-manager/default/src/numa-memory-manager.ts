import path from 'node:path';
import { LOGGER, METRICS, needs, pick, type Health, type Needs } from '@podwright/assembly-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import { isSidecar, podUid, type Container, type Pod } from '@podwright/kube-types';
import type { MemoryBlock, MemoryManager } from '@podwright/memory-manager-interface';
import { POD_CONFIG } from '@podwright/pod-config-interface';
import { ACTIVE_PODS } from '@podwright/pod-workers-interface';
import {
  abandonedAssignments,
  MACHINE_TOPOLOGY,
  TOPOLOGY_MANAGER,
  type TopologyHints,
} from '@podwright/topology-manager-interface';
import { MemoryManagerMetrics } from './memory-manager-metrics.js';
import type { NumaMemoryManagerConfig } from './numa-memory-manager-config.js';
import { nonePolicy, type MemoryPolicy } from './policy/memory-policy.js';
import { reservedMemory } from './policy/reserved-memory.js';
import { StaticMemoryPolicy } from './policy/static-memory-policy.js';
import { unusedMemory, type MachineMemory } from './state/machine-memory.js';
import { memoryStateFile } from './state/memory-checkpoint.js';
import { MemoryStateFile } from './state/memory-state-file.js';
import { MemoryState } from './state/memory-state.js';

export const memoryManagerNeeds = needs({
  activePods: ACTIVE_PODS,
  podConfig: pick(POD_CONFIG, 'allSourcesReady'),
  affinity: pick(TOPOLOGY_MANAGER, 'affinityOf'),
  machine: MACHINE_TOPOLOGY,
  logger: LOGGER,
  metrics: METRICS,
});
export type MemoryManagerNeeds = Needs<typeof memoryManagerNeeds>;

/** {@link MemoryManager} with upstream's policies None and Static; keeps its state in upstream's file. */
export class NumaMemoryManager implements MemoryManager {
  readonly name = 'memory-manager';
  private readonly counts: MemoryManagerMetrics;
  private readonly file: MemoryStateFile;
  private state = new MemoryState();
  private policy: MemoryPolicy = nonePolicy;
  private isStarted = false;

  constructor(
    private readonly deps: MemoryManagerNeeds,
    private readonly config: NumaMemoryManagerConfig,
  ) {
    const { rootDir, policy, podLevelResourceManagers: podLevel } = config;
    this.counts = new MemoryManagerMetrics(deps.metrics, podLevel);
    this.file = new MemoryStateFile({ rootDir, policy, podLevel }, deps.logger);
  }

  async start(): Promise<void> {
    if (this.isStarted) return;
    const unused = await this.unusedMachine();
    try {
      this.state = await this.file.restore();
      if (unused !== undefined) this.policy = this.staticPolicy(unused);
    } catch (error) {
      throw new KubeletError(`start memory manager error: ${messageOf(error)}`, {
        code: KubeletError.from(error).code,
        cause: error,
      });
    }
    await this.file.flushed();
    this.isStarted = true;
  }

  stop(): Promise<void> {
    return this.file.flushed();
  }

  healthy(): Health {
    return this.isStarted ? { ok: true } : { ok: false, reason: 'the memory manager is not started' };
  }

  hintsOf(pod: Pod, container: Container): TopologyHints {
    this.releaseExcept(pod);
    return this.policy.hintsOf(pod, container);
  }

  hintsOfPod(pod: Pod): TopologyHints {
    this.releaseExcept(pod);
    return this.policy.hintsOfPod(pod);
  }

  async allocate(pod: Pod, container: Container): Promise<void> {
    this.releaseExcept(pod);
    this.policy.allocate(pod, container);
    // Must be on disk before the container can start: after a restart, the kubelet must not give this memory to
    // another.
    await this.file.flushed();
  }

  async allocatePod(pod: Pod): Promise<void> {
    this.releaseExcept(pod);
    this.policy.allocatePod(pod);
    await this.file.flushed();
  }

  numaNodesOf(uid: string, container: string): readonly number[] {
    const nodes = new Set(this.memoryOf(uid, container).flatMap(({ numaNodes }) => numaNodes));
    return [...nodes].sort((a, b) => a - b);
  }

  memoryOf(uid: string, container: string): readonly MemoryBlock[] {
    return this.state.of(uid, container) ?? [];
  }

  allocatableMemory(): readonly MemoryBlock[] {
    return this.policy.allocatable;
  }

  /** Frees the memory of init containers that have ended, for this container and others. */
  addContainer(pod: Pod, container: Container): void {
    for (const init of pod.spec.initContainers ?? []) {
      if (init.name === container.name) return;
      if (!isSidecar(init)) this.policy.release(podUid(pod), init.name);
    }
  }

  releaseInactive(): void {
    this.releaseExcept();
  }

  /** Undefined with policy None. */
  private async unusedMachine(): Promise<(() => MachineMemory) | undefined> {
    const { policy, reservedMemory: reservations, nodeReserved } = this.config;
    if (policy === 'None') return undefined;
    if (policy === 'BestEffort') throw fault(`policy "BestEffort" is not available for platform "linux"`);
    if (policy !== 'Static') throw fault(`unknown policy: ${JSON.stringify(policy)}`);
    const machine = await this.deps.machine.read();
    const reserved = reservedMemory(machine, reservations, nodeReserved);
    return () => unusedMemory(machine, reserved);
  }

  private staticPolicy(unused: () => MachineMemory): MemoryPolicy {
    const { state, counts: metrics } = this;
    const { affinity } = this.deps;
    const { podLevelResourceManagers } = this.config;
    try {
      return new StaticMemoryPolicy({ state, unused, affinity, metrics }, { podLevelResourceManagers });
    } catch (error) {
      const file = path.join(this.config.rootDir, memoryStateFile);
      const difference =
        error instanceof KubeletError && error.cause instanceof Error ? error.cause.message : undefined;
      this.deps.logger.error('Invalid state, please drain this node and delete the state file of the memory manager', {
        file,
        ...(difference !== undefined && { difference }),
      });
      throw error;
    }
  }

  /** `admitted`: the pod under admission, which is not listed as active yet. */
  private releaseExcept(admitted?: Pod): void {
    if (this.state.assignments().size === 0 || !this.deps.podConfig.allSourcesReady()) return;
    const pods = admitted === undefined ? this.deps.activePods.list() : [...this.deps.activePods.list(), admitted];
    for (const { podUid: uid, container } of abandonedAssignments(this.state.assignments(), pods)) {
      this.deps.logger.info('Memory is given back', { podUid: uid, container });
      this.policy.release(uid, container);
    }
  }
}

function fault(message: string): KubeletError {
  return new KubeletError(message, { code: 'invalid-argument' });
}
