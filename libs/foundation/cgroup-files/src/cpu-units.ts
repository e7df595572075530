const minShares = 2;
const maxShares = 262_144;
const sharesPerCpu = 1024;
const milliPerCpu = 1000;
/** The kernel's minimum, in microseconds. */
const minQuotaUs = 1000;
const maxWeight = 10_000;

/**
 * Converts a CPU request in thousandths to cpu.shares (2 to 262144).
 * Source: kubernetes v1.36 pkg/kubelet/cm/helpers_linux.go MilliCPUToShares.
 */
export function milliCpuToShares(milliCpu: number): number {
  const shares = Math.trunc((milliCpu * sharesPerCpu) / milliPerCpu);
  return Math.min(maxShares, Math.max(minShares, shares));
}

/**
 * Converts cpu.shares to thousandths of a CPU, rounded up; 0 for invalid shares. Does not exactly reverse
 * {@link milliCpuToShares}, which rounds and clamps.
 * Source: kubernetes v1.36 pkg/kubelet/kuberuntime/helpers_linux.go sharesToMilliCPU.
 */
export function sharesToMilliCpu(shares: number): number {
  return shares < minShares ? 0 : Math.ceil((shares * milliPerCpu) / sharesPerCpu);
}

/**
 * Converts a CPU limit in thousandths to a quota in microseconds per period; 0 means no limit.
 * Source: kubernetes v1.36 pkg/kubelet/cm/helpers_linux.go MilliCPUToQuota.
 */
export function milliCpuToQuotaUs(milliCpu: number, periodUs: number): number {
  if (milliCpu === 0) return 0;
  return Math.max(minQuotaUs, Math.trunc((milliCpu * periodUs) / milliPerCpu));
}

/**
 * Converts a quota in microseconds per period to thousandths of a CPU; 0 when there is no quota.
 * Source: kubernetes v1.36 pkg/kubelet/kuberuntime/helpers_linux.go quotaToMilliCPU.
 */
export function quotaUsToMilliCpu(quotaUs: number, periodUs: number): number {
  return quotaUs <= 0 || periodUs <= 0 ? 0 : Math.trunc((quotaUs * milliPerCpu) / periodUs);
}

/**
 * Converts cpu.shares to cpu.weight (1 to 10000), linearly, for the cgroups of pods and QoS classes. Newer runtimes use
 * a curve for containers instead. Source: as above, CPUSharesToCPUWeight.
 */
export function sharesToWeight(shares: number): number {
  if (shares >= maxShares) return maxWeight;
  return 1 + Math.trunc(((shares - minShares) * (maxWeight - 1)) / (maxShares - minShares));
}

/**
 * Converts cpu.weight to the least cpu.shares that have this weight. Source: as above, CPUWeightToCPUShares, which rounds
 * down, to shares with a lower weight: a resize to them then looks like none.
 */
export function weightToShares(weight: number): number {
  return Math.ceil(((weight - 1) * (maxShares - minShares)) / (maxWeight - 1)) + minShares;
}
