const minShares = 2;
const maxShares = 262_144;
const sharesPerCpu = 1024;
const milliPerCpu = 1000;
/** The kernel refuses less, in microseconds. */
const minQuotaUs = 1000;
const maxWeight = 10_000;

/** cpu.shares of a request in thousandths of a CPU. Source: kubernetes v1.36 pkg/kubelet/cm/helpers_linux.go MilliCPUToShares. */
export function milliCpuToShares(milliCpu: number): number {
  const shares = Math.trunc((milliCpu * sharesPerCpu) / milliPerCpu);
  return Math.min(maxShares, Math.max(minShares, shares));
}

/** Quota of a limit in microseconds per period; 0 stands for none. Source: as above, MilliCPUToQuota. */
export function milliCpuToQuotaUs(milliCpu: number, periodUs: number): number {
  if (milliCpu === 0) return 0;
  return Math.max(minQuotaUs, Math.trunc((milliCpu * periodUs) / milliPerCpu));
}

/**
 * cpu.weight (1 to 10000) of cpu.shares. Straight, unlike the curve that newer runtimes use for containers: pods and
 * classes are weighed against each other by this one. Source: as above, CPUSharesToCPUWeight.
 */
export function sharesToWeight(shares: number): number {
  if (shares >= maxShares) return maxWeight;
  return 1 + Math.trunc(((shares - minShares) * (maxWeight - 1)) / (maxShares - minShares));
}

/** Back again; not exact, several shares have one weight. Source: as above, CPUWeightToCPUShares. */
export function weightToShares(weight: number): number {
  return Math.trunc(((weight - 1) * (maxShares - minShares)) / (maxWeight - 1)) + minShares;
}
