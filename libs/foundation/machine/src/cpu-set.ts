/** CPU numbers, ascending, each once. `parseCpuList` of @podwright/kubelet-configuration parses the kernel's lists. */
export type CpuSet = readonly number[];

/** Makes a set of CPU numbers in any order. */
export function cpuSetOf(cpus: Iterable<number>): CpuSet {
  return [...new Set(cpus)].sort((a, b) => a - b);
}

export function cpuUnion(...sets: readonly CpuSet[]): CpuSet {
  return cpuSetOf(sets.flat());
}

/** The CPUs of `from` that are in none of `sets`. */
export function cpuDifference(from: CpuSet, ...sets: readonly CpuSet[]): CpuSet {
  const taken = new Set(sets.flat());
  return from.filter((cpu) => !taken.has(cpu));
}

export function cpuIntersection(a: CpuSet, b: CpuSet): CpuSet {
  const other = new Set(b);
  return a.filter((cpu) => other.has(cpu));
}

export function isCpuSubset(part: CpuSet, whole: CpuSet): boolean {
  const all = new Set(whole);
  return part.every((cpu) => all.has(cpu));
}

export function cpuSetsEqual(a: CpuSet, b: CpuSet): boolean {
  return a.length === b.length && a.every((cpu, index) => cpu === b[index]);
}

/** Formats a set as a list such as `0-2,7`. Source: kubernetes v1.36 staging/src/k8s.io/utils/cpuset String. */
export function formatCpuList(cpus: CpuSet): string {
  const ranges: [first: number, last: number][] = [];
  for (const cpu of cpus) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === cpu - 1) last[1] = cpu;
    else ranges.push([cpu, cpu]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}
