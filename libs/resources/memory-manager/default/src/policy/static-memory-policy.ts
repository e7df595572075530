import { KubeletError } from '@podwright/errors';
import { hasPodLevelResources, isSidecar, podQosClass, podUid, type Container, type Pod } from '@podwright/kube-types';
import type { MemoryBlock } from '@podwright/memory-manager-interface';
import type { TopologyHint, TopologyHints, TopologyManager } from '@podwright/topology-manager-interface';
import type { MemoryAmounts } from '../memory-amounts.js';
import type { MemoryManagerMetrics } from '../memory-manager-metrics.js';
import { charge, giveBack, sameNodes, type MachineMemory } from '../state/machine-memory.js';
import type { MemoryState } from '../state/memory-state.js';
import { checkMachine } from './check-machine.js';
import { bestHint, memoryHints, satisfies, violatesGroups } from './memory-hints.js';
import type { MemoryPolicy } from './memory-policy.js';
import { checkPodPool, partitionPod } from './pod-partition.js';
import { containerMemory, podMemory, type PodLevelGates } from './requested-memory.js';
import { ReusableMemory } from './reusable-memory.js';

export interface StaticMemoryPolicyDeps {
  readonly state: MemoryState;
  /** The machine with nothing used. */
  readonly unused: () => MachineMemory;
  readonly affinity: Pick<TopologyManager, 'affinityOf'>;
  readonly metrics: MemoryManagerMetrics;
}

/**
 * Gives containers of Guaranteed pods memory from as few NUMA nodes as possible.
 * Source: kubernetes v1.36 pkg/kubelet/cm/memorymanager/policy_static.go.
 */
export class StaticMemoryPolicy implements MemoryPolicy {
  readonly allocatable: readonly MemoryBlock[];
  private readonly reusable = new ReusableMemory();

  /** Throws when the stored state does not match the machine. */
  constructor(
    private readonly deps: StaticMemoryPolicyDeps,
    private readonly gates: PodLevelGates,
  ) {
    const { state, unused } = deps;
    checkMachine(state, unused, gates.podLevelResourceManagers);
    this.allocatable = [...state.machine].flatMap(([id, { memoryMap }]) =>
      [...memoryMap]
        .filter(([, { allocatable }]) => allocatable > 0)
        .map(([type, { allocatable: bytes }]) => ({ numaNodes: [id], type, bytes })),
    );
  }

  hintsOf(pod: Pod, container: Container): TopologyHints {
    if (!this.concerns(pod)) return {};
    const requested = containerMemory(pod, container, this.gates);
    const own = this.deps.state.of(podUid(pod), container.name);
    return own === undefined ? this.freshHints(pod, requested) : hintsOfBlocks(own, requested);
  }

  hintsOfPod(pod: Pod): TopologyHints {
    if (!this.concerns(pod)) return {};
    const requested = podMemory(pod, this.gates);
    if (this.isPodLevel(pod) && this.isPoolEmpty(pod, requested))
      return Object.fromEntries([...requested.keys()].map((name) => [name, []]));
    if (requested.size === 0) return {};
    const whole = this.deps.state.ofPod(podUid(pod));
    if (whole !== undefined) return hintsOfBlocks(whole, requested);
    for (const { name } of containersOf(pod)) {
      const own = this.deps.state.of(podUid(pod), name);
      if (own !== undefined) return hintsOfBlocks(own, requested);
    }
    return this.freshHints(pod, requested);
  }

  allocate(pod: Pod, container: Container): void {
    if (!this.concerns(pod)) return;
    const { metrics } = this.deps;
    metrics.requests.increment();
    try {
      this.allocateContainer(pod, container);
    } catch (error) {
      metrics.errors.increment();
      metrics.allocations?.failed('node');
      throw error;
    }
  }

  allocatePod(pod: Pod): void {
    if (podQosClass(pod) !== 'Guaranteed') return;
    const { metrics } = this.deps;
    metrics.requests.increment();
    try {
      this.allocateWhole(pod);
    } catch (error) {
      metrics.errors.increment();
      metrics.allocations?.failed('pod');
      throw error;
    }
  }

  release(uid: string, container: string): void {
    const { state } = this.deps;
    const own = state.of(uid, container);
    if (own === undefined) return;
    state.delete(uid, container);
    const whole = state.ofPod(uid);
    if (whole === undefined) this.giveBack(own);
    else if (state.assignments().get(uid) === undefined) {
      // The pod's memory stays together until its last container is gone.
      this.giveBack(whole);
      state.deletePod(uid);
    }
  }

  private allocateContainer(pod: Pod, container: Container): void {
    const { state, affinity, metrics } = this.deps;
    const uid = podUid(pod);
    const own = state.of(uid, container.name);
    if (own !== undefined) {
      this.reusable.update(pod, container, own);
      return;
    }
    const requested = containerMemory(pod, container, this.gates);
    if (requested.size === 0) return;
    const numaNodes = this.chooseNodes(pod, requested, affinity.affinityOf(uid, container.name));
    const blocks = [...requested].map(([type, bytes]) => ({ numaNodes, type, bytes }));
    for (const { type, bytes } of blocks) {
      charge(state.machine, numaNodes, type, Math.max(0, bytes - this.reusable.of(uid, numaNodes, type)));
      metrics.allocations?.allocated('node');
    }
    this.reusable.update(pod, container, blocks);
    state.set(uid, container.name, blocks);
    this.shrinkEarlier(pod, container, blocks);
    metrics.allocations?.assigned('node_exclusive');
  }

  private allocateWhole(pod: Pod): void {
    const { state, affinity, metrics } = this.deps;
    const uid = podUid(pod);
    // A restarted kubelet admits its pods again.
    if (state.ofPod(uid) !== undefined) return;
    const total = podMemory(pod, this.gates);
    const amountsOf = (container: Container): MemoryAmounts => containerMemory(pod, container, this.gates);
    checkPodPool(pod, total, amountsOf);
    const first = containersOf(pod)[0]?.name ?? '';
    const numaNodes = this.chooseNodes(pod, total, affinity.affinityOf(uid, first));
    const blocksOf = (amounts: MemoryAmounts): readonly MemoryBlock[] =>
      [...amounts].filter(([, bytes]) => bytes > 0).map(([type, bytes]) => ({ numaNodes, type, bytes }));
    state.setPod(uid, blocksOf(total));
    for (const [type, bytes] of total) charge(state.machine, numaNodes, type, bytes);
    const inits = new Set(pod.spec.initContainers?.map(({ name }) => name));
    for (const { container, amounts, type } of partitionPod(pod, total, amountsOf)) {
      // As upstream: an init container counts also when it shares the pod's memory.
      if (type === 'pod_exclusive' || inits.has(container)) metrics.requests.increment();
      state.set(uid, container, blocksOf(amounts));
      metrics.allocations?.assigned(type);
      metrics.allocations?.allocated('pod');
    }
  }

  /** The nodes of the hint, extended when they have too little memory; the best nodes when there is no hint. */
  private chooseNodes(pod: Pod, requested: MemoryAmounts, hint: TopologyHint): readonly number[] {
    const { machine } = this.deps.state;
    let chosen = this.withNodes(pod, requested, hint);
    if (!satisfies(machine, chosen.numaNodes, requested)) {
      const { numaNodes } = chosen;
      const wider = this.hints(pod, requested).filter((other) => numaNodes.every((id) => other.numaNodes.includes(id)));
      const extended = bestHint(wider);
      if (extended === undefined) throw fault('failed to find NUMA nodes to extend the current topology hint');
      if (!extended.preferred && chosen.preferred) throw fault('failed to find the extended preferred hint');
      chosen = extended;
    }
    if (violatesGroups(machine, chosen.numaNodes)) throw fault('preferred hint violates NUMA node allocation');
    return chosen.numaNodes;
  }

  private withNodes(pod: Pod, requested: MemoryAmounts, hint: TopologyHint): Required<TopologyHint> {
    const { numaNodes, preferred } = hint;
    if (numaNodes !== undefined) return { numaNodes, preferred };
    const best = bestHint(this.hints(pod, requested));
    if (best === undefined)
      throw fault('failed to get the default NUMA affinity, no NUMA nodes with enough memory is available');
    if (!best.preferred && preferred) throw fault('failed to find the default preferred hint');
    return best;
  }

  /** Subtracts the memory that init containers have left to this container from the init containers' blocks. */
  private shrinkEarlier(pod: Pod, container: Container, blocks: readonly MemoryBlock[]): void {
    const { state } = this.deps;
    const uid = podUid(pod);
    const inits = pod.spec.initContainers ?? [];
    const position = inits.findIndex(({ name }) => name === container.name);
    const earlier = (position < 0 ? inits : inits.slice(0, position)).filter((init) => !isSidecar(init));
    for (const { type, numaNodes, bytes } of blocks) {
      let left = bytes;
      for (const { name } of earlier) {
        const own = state.of(uid, name);
        if (own === undefined || left === 0) continue;
        const shrunk = own.map((block) => {
          if (block.type !== type || !sameNodes(block.numaNodes, numaNodes)) return block;
          const taken = Math.min(left, block.bytes);
          left -= taken;
          return { ...block, bytes: block.bytes - taken };
        });
        state.set(uid, name, shrunk);
      }
    }
  }

  private giveBack(blocks: readonly MemoryBlock[]): void {
    const { state } = this.deps;
    for (const { numaNodes, type, bytes } of blocks) giveBack(state.machine, numaNodes, type, bytes);
    state.changed();
  }

  private freshHints(pod: Pod, requested: MemoryAmounts): TopologyHints {
    const hints = this.hints(pod, requested);
    // As upstream, no hints at all when no group fits: no preference, and the allocation then reports what is missing.
    if (hints.length === 0) return {};
    return Object.fromEntries([...requested.keys()].map((name) => [name, hints]));
  }

  private hints(pod: Pod, requested: MemoryAmounts): readonly Required<TopologyHint>[] {
    const uid = podUid(pod);
    return memoryHints(this.deps.state.machine, requested, (nodes, name) => this.reusable.of(uid, nodes, name));
  }

  private concerns(pod: Pod): boolean {
    if (podQosClass(pod) !== 'Guaranteed') return false;
    return this.gates.podLevelResourceManagers || !hasPodLevelResources(pod);
  }

  private isPodLevel(pod: Pod): boolean {
    return this.gates.podLevelResourceManagers && hasPodLevelResources(pod);
  }

  private isPoolEmpty(pod: Pod, total: MemoryAmounts): boolean {
    try {
      checkPodPool(pod, total, (container) => containerMemory(pod, container, this.gates));
      return false;
    } catch {
      // `allocatePod` reports the reason; here an empty pool means that no NUMA node fits.
      return true;
    }
  }
}

/** One hint per block that the container holds; none when its request has changed. */
function hintsOfBlocks(blocks: readonly MemoryBlock[], requested: MemoryAmounts): TopologyHints {
  if (blocks.length !== requested.size) return {};
  if (blocks.some(({ type, bytes }) => requested.get(type) !== bytes)) return {};
  return Object.fromEntries(blocks.map(({ type, numaNodes }) => [type, [{ numaNodes, preferred: true }]]));
}

function containersOf({ spec }: Pod): readonly Container[] {
  return [...(spec.initContainers ?? []), ...spec.containers];
}

function fault(message: string): KubeletError {
  return new KubeletError(`[memorymanager] ${message}`, { code: 'resource-exhausted' });
}
