import { cpuDifference, cpuUnion, type CpuSet } from '@podwright/machine';

export type CpuAssignments = ReadonlyMap<string, ReadonlyMap<string, CpuSet>>;

/** Which containers have which CPUs. Source: kubernetes v1.36 pkg/kubelet/cm/cpumanager/state/state_mem.go. */
export class CpuState {
  private readonly sets = new Map<string, Map<string, CpuSet>>();
  private readonly pods = new Map<string, CpuSet>();

  /** `shared`: CPUs of all containers without exclusive ones. */
  constructor(
    public shared: CpuSet = [],
    private readonly changed: () => void = () => undefined,
  ) {}

  of(podUid: string, container: string): CpuSet | undefined {
    return this.sets.get(podUid)?.get(container);
  }

  ofPod(podUid: string): CpuSet | undefined {
    return this.pods.get(podUid);
  }

  assignments(): CpuAssignments {
    return this.sets;
  }

  podSets(): ReadonlyMap<string, CpuSet> {
    return this.pods;
  }

  assigned(): CpuSet {
    return cpuUnion(...[...this.sets.values()].flatMap((containers) => [...containers.values()]));
  }

  setShared(cpus: CpuSet): void {
    this.shared = cpus;
    this.changed();
  }

  /** Removes CPUs from the shared pool. */
  claim(cpus: CpuSet): void {
    this.setShared(cpuDifference(this.shared, cpus));
  }

  giveBack(cpus: CpuSet): void {
    this.setShared(cpuUnion(this.shared, cpus));
  }

  set(podUid: string, container: string, cpus: CpuSet): void {
    let containers = this.sets.get(podUid);
    if (containers === undefined) this.sets.set(podUid, (containers = new Map()));
    containers.set(container, cpus);
    this.changed();
  }

  setPod(podUid: string, cpus: CpuSet): void {
    this.pods.set(podUid, cpus);
    this.changed();
  }

  delete(podUid: string, container: string): void {
    const containers = this.sets.get(podUid);
    if (containers?.delete(container) !== true) return;
    if (containers.size === 0) this.sets.delete(podUid);
    this.changed();
  }

  deletePod(podUid: string): void {
    this.pods.delete(podUid);
    this.sets.delete(podUid);
    this.changed();
  }
}
