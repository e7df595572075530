import { cpuSetOf, type CpuSet } from '@podwright/machine';
import type { CpuLevel, CpuPlace, CpuTopology } from '../cpu-topology.js';

/** The order in which single CPUs are taken: core by core, or across all cores of a socket. */
export type CpuOrder = 'packed' | 'spread';

/**
 * Tracks the free CPUs and how many the request still needs. Lists elements (sockets, NUMA nodes, cores, caches) best
 * fit first: fewest free CPUs, then the lowest id. Source: kubernetes v1.36 pkg/kubelet/cm/cpumanager/cpu_assignment.go
 * cpuAccumulator.
 */
export class CpuTaker {
  private free: readonly CpuPlace[];
  private readonly taken: number[] = [];

  constructor(
    private readonly topology: CpuTopology,
    available: CpuSet,
    private needed: number,
    private readonly order: CpuOrder,
  ) {
    this.free = available.flatMap((cpu) => {
      const place = topology.places.get(cpu);
      return place === undefined ? [] : [place];
    });
  }

  get need(): number {
    return this.needed;
  }

  get freeCount(): number {
    return this.free.length;
  }

  result(): CpuSet {
    return cpuSetOf(this.taken);
  }

  /** The outermost level first: NUMA nodes, unless sockets have several NUMA nodes each; then sockets. */
  get levels(): readonly [CpuLevel, CpuLevel] {
    return this.numaFirst ? ['numaNode', 'socket'] : ['socket', 'numaNode'];
  }

  /** Places of the free CPUs in the element, by ascending CPU. */
  placesIn(level: CpuLevel, id: number): readonly CpuPlace[] {
    return this.free.filter((place) => place[level] === id);
  }

  freeIn(level: CpuLevel, id: number): CpuSet {
    return this.placesIn(level, id).map(({ cpu }) => cpu);
  }

  /**
   * Elements with free CPUs, each once; elements of a lower level follow the order of the elements that contain them.
   */
  listed(level: CpuLevel): readonly number[] {
    const [outer, inner] = this.levels;
    if (level === outer) return this.ordered(level);
    const enclosing = level === inner ? outer : level === 'core' ? inner : 'numaNode';
    return [
      ...new Set(this.listed(enclosing).flatMap((id) => this.ordered(level, (place) => place[enclosing] === id))),
    ];
  }

  /** Listed elements whose CPUs are all free. */
  wholly(level: CpuLevel): readonly number[] {
    return this.listed(level).filter((id) => this.isWhollyFree(level, id));
  }

  /** Takes every wholly free element that has no more CPUs than are still needed. */
  takeWhole(level: CpuLevel): void {
    for (const id of this.wholly(level)) {
      const cpus = this.freeIn(level, id);
      if (this.needed >= cpus.length) this.take(cpus);
    }
  }

  takeSingles(): void {
    for (const cpu of this.singles()) {
      if (this.needed < 1) return;
      this.take([cpu]);
    }
  }

  take(cpus: CpuSet): void {
    const gone = new Set(cpus);
    this.free = this.free.filter(({ cpu }) => !gone.has(cpu));
    this.taken.push(...cpus);
    this.needed -= cpus.length;
  }

  private get numaFirst(): boolean {
    return this.topology.socketCount >= this.topology.numaNodeCount;
  }

  private singles(): readonly number[] {
    const level = this.order === 'spread' ? 'socket' : 'core';
    return this.listed(level).flatMap((id) => this.freeIn(level, id));
  }

  private ordered(level: CpuLevel, within: (place: CpuPlace) => boolean = () => true): readonly number[] {
    const counts = new Map<number, number>();
    for (const place of this.free) counts.set(place[level], (counts.get(place[level]) ?? 0) + 1);
    const ids = new Set(this.free.filter(within).map((place) => place[level]));
    return [...ids].sort((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0) || a - b);
  }

  private isWhollyFree(level: CpuLevel, id: number): boolean {
    const { cpusPerSocket, cpusPerCore } = this.topology;
    const free = this.freeIn(level, id).length;
    const average = { socket: cpusPerSocket, core: cpusPerCore, numaNode: free, uncoreCache: free }[level];
    // On a machine with two kinds of cores, the average alone would count a half-used core as free.
    return free === average && free === this.sizeOf(level, id);
  }

  private sizeOf(level: CpuLevel, id: number): number {
    let size = 0;
    for (const place of this.topology.places.values()) if (place[level] === id) size += 1;
    return size;
  }
}
