import { hasPodLevelResources, podUid, type Container, type Pod } from '@podwright/kube-types';
import { cpuDifference, cpuIntersection, cpuUnion, type CpuSet } from '@podwright/machine';
import type { TopologyHints, TopologyManager } from '@podwright/topology-manager-interface';
import { takeCpus } from '../assignment/take-cpus.js';
import type { CpuManagerMetrics } from '../cpu-manager-metrics.js';
import { elementsOf, type CpuTopology } from '../cpu-topology.js';
import { guaranteedCpus, isLeftOut, podGuaranteedCpus, type PodLevelGates } from '../guaranteed-cpus.js';
import type { CpuState } from '../state/cpu-state.js';
import { checkState } from './check-state.js';
import { alignedCpus, cpuHints } from './cpu-hints.js';
import type { CpuPolicy } from './cpu-policy.js';
import { checkPodPool, partitionPod } from './pod-partition.js';
import { ReusableCpus } from './reusable-cpus.js';
import type { ReservedCpus } from './reserved-cpus.js';
import { checkSmtAlignment } from './smt-alignment.js';
import type { StaticPolicyOptions } from './static-policy-options.js';

export interface StaticPolicyDeps {
  readonly topology: CpuTopology;
  readonly reserved: ReservedCpus;
  readonly state: CpuState;
  readonly affinity: Pick<TopologyManager, 'affinityOf'>;
  readonly metrics: CpuManagerMetrics;
}

const unservable: TopologyHints = { cpu: [] };

/**
 * Gives whole CPUs to containers of Guaranteed pods that request whole CPUs; all others share the rest.
 * Source: kubernetes v1.36 pkg/kubelet/cm/cpumanager/policy_static.go.
 */
export class StaticPolicy implements CpuPolicy {
  readonly name = 'static';
  readonly allocatable: CpuSet;
  private readonly reusable = new ReusableCpus();

  /** Throws when the stored state does not fit the machine. */
  constructor(
    private readonly deps: StaticPolicyDeps,
    private readonly options: StaticPolicyOptions,
    private readonly gates: PodLevelGates,
  ) {
    const { topology, reserved, state, metrics } = deps;
    this.allocatable = cpuDifference(topology.cpus, reserved.cpus);
    checkState(state, { all: topology.cpus, reserved: reserved.cpus, strict: options.strictReservation });
    metrics.showAlignment();
    this.showPools();
  }

  hintsOf(pod: Pod, container: Container): TopologyHints {
    const count = guaranteedCpus(pod, container, this.gates);
    if (count === 0 || isLeftOut(pod, this.gates)) return {};
    const uid = podUid(pod);
    const own = this.deps.state.of(uid, container.name);
    if (own === undefined) return this.hints(this.available(), this.reusable.of(uid), count);
    // With a changed request the container fits nowhere; only the best-effort policy then admits it.
    return own.length === count ? this.hints(own, [], count) : unservable;
  }

  hintsOfPod(pod: Pod): TopologyHints {
    const count = podGuaranteedCpus(pod, this.gates);
    if (count === 0 || isLeftOut(pod, this.gates)) return {};
    if (this.isPoolEmpty(pod, count)) return unservable;
    const uid = podUid(pod);
    const whole = this.deps.state.ofPod(uid);
    if (whole !== undefined) return whole.length === count ? this.hints(whole, [], count) : unservable;
    let assigned: CpuSet = [];
    for (const container of containersOf(pod)) {
      const own = this.deps.state.of(uid, container.name);
      if (own === undefined) continue;
      if (own.length !== guaranteedCpus(pod, container, this.gates)) return unservable;
      assigned = cpuUnion(assigned, own);
    }
    if (assigned.length === count) return this.hints(assigned, [], count);
    return this.hints(this.available(), cpuUnion(this.reusable.of(uid), assigned), count);
  }

  allocate(pod: Pod, container: Container): void {
    const count = guaranteedCpus(pod, container, this.gates);
    if (count === 0 || isLeftOut(pod, this.gates)) return;
    const { metrics } = this.deps;
    metrics.requests.increment();
    try {
      this.allocateContainer(pod, container, count);
    } catch (error) {
      metrics.errors.increment();
      metrics.allocations?.failed('node');
      if (this.options.fullPhysicalCpusOnly) metrics.physicalAlignment(false);
      throw error;
    }
    if (this.options.fullPhysicalCpusOnly) metrics.physicalAlignment(true);
  }

  allocatePod(pod: Pod): void {
    const total = podGuaranteedCpus(pod, this.gates);
    if (total === 0) return;
    const { metrics } = this.deps;
    try {
      this.allocateWhole(pod, total);
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
    const left = state.assignments().get(uid);
    const whole = state.ofPod(uid);
    if (whole === undefined) state.giveBack(cpuDifference(own, ...(left?.values() ?? [])));
    else if (left === undefined) {
      // The pod's CPUs stay together until its last container is gone.
      state.giveBack(whole);
      state.deletePod(uid);
    }
    this.showPools();
  }

  private allocateContainer(pod: Pod, container: Container, count: number): void {
    const { state, affinity, metrics } = this.deps;
    const uid = podUid(pod);
    this.checkAlignment(count);
    const own = state.of(uid, container.name);
    if (own !== undefined) {
      this.reusable.update(pod, container, own);
      return;
    }
    const { numaNodes } = affinity.affinityOf(uid, container.name);
    const cpus = this.choose(count, numaNodes, this.reusable.of(uid));
    this.claim(cpus);
    state.set(uid, container.name, cpus);
    this.reusable.update(pod, container, cpus);
    metrics.allocations?.allocated('node');
    metrics.allocations?.assigned('node_exclusive');
    this.showPools();
  }

  private allocateWhole(pod: Pod, total: number): void {
    const { state, affinity, metrics, topology } = this.deps;
    const uid = podUid(pod);
    // A restarted kubelet admits its pods again.
    if (state.ofPod(uid) !== undefined) return;
    const countOf = (container: Container): number => guaranteedCpus(pod, container, this.gates);
    checkPodPool(pod, total, countOf);
    this.checkAlignment(total);
    const first = containersOf(pod)[0]?.name ?? '';
    const whole = this.choose(total, affinity.affinityOf(uid, first).numaNodes, []);
    // Before the claim: a pod that fails half way is rejected, and nothing would give its CPUs back.
    const shares = partitionPod(pod, whole, countOf, (available, count) => {
      metrics.requests.increment();
      return takeCpus(topology, this.options, available, count);
    });
    this.claim(whole);
    state.setPod(uid, whole);
    for (const { container, cpus, type } of shares) {
      state.set(uid, container, cpus);
      metrics.allocations?.assigned(type);
      metrics.allocations?.allocated('pod');
    }
    this.showPools();
  }

  /** Takes CPUs that match the hint first, the rest from anywhere. */
  private choose(count: number, numaNodes: readonly number[] | undefined, reusable: CpuSet): CpuSet {
    const { topology } = this.deps;
    const pool = cpuUnion(this.available(), reusable);
    const take = (available: CpuSet, wanted: number): CpuSet => takeCpus(topology, this.options, available, wanted);
    const near =
      numaNodes === undefined
        ? []
        : cpuIntersection(pool, alignedCpus(topology, numaNodes, this.options.alignBySocket));
    const aligned = take(near, Math.min(count, near.length));
    return cpuUnion(aligned, take(cpuDifference(pool, aligned), count - aligned.length));
  }

  private claim(cpus: CpuSet): void {
    const { state, topology, metrics } = this.deps;
    state.claim(cpus);
    if (elementsOf(topology, 'uncoreCache', cpus).length === 1) metrics.sharesCache();
  }

  private checkAlignment(count: number): void {
    if (!this.options.fullPhysicalCpusOnly) return;
    const { state, reserved, topology } = this.deps;
    checkSmtAlignment(count, topology.cpusPerCore, cpuDifference(state.shared, reserved.physical).length);
  }

  private isPoolEmpty(pod: Pod, total: number): boolean {
    if (!this.gates.podLevelResourceManagers || !hasPodLevelResources(pod)) return false;
    try {
      checkPodPool(pod, total, (container) => guaranteedCpus(pod, container, this.gates));
      return false;
    } catch {
      // `allocatePod` reports the reason; here an empty pool means that no NUMA node fits.
      return true;
    }
  }

  private hints(available: CpuSet, reusable: CpuSet, count: number): TopologyHints {
    return { cpu: cpuHints(this.deps.topology, { available, reusable, count }, this.options.alignBySocket) };
  }

  private available(): CpuSet {
    return cpuDifference(this.deps.state.shared, this.deps.reserved.cpus);
  }

  private showPools(): void {
    const { state, topology, metrics } = this.deps;
    const assigned = state.assigned();
    const perNode = new Map(topology.numaNodes.map((node) => [node, 0]));
    for (const cpu of assigned) {
      const node = topology.places.get(cpu)?.numaNode;
      if (node !== undefined) perNode.set(node, (perNode.get(node) ?? 0) + 1);
    }
    metrics.show(this.available().length, assigned.length, perNode);
  }
}

function containersOf({ spec }: Pod): readonly Container[] {
  return [...(spec.initContainers ?? []), ...spec.containers];
}
