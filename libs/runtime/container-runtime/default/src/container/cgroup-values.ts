const minShares = 2n;
const maxShares = 262_144n;
const sharesPerCpu = 1024n;
/** The kernel refuses less, in microseconds. */
const minQuotaUs = 1000n;

/** Source: kubernetes v1.36 pkg/kubelet/cm/helpers_linux.go MilliCPUToShares. */
export function milliCpuToShares(milliCpu: number): bigint {
  const shares = (BigInt(milliCpu) * sharesPerCpu) / 1000n;
  return shares < minShares ? minShares : shares > maxShares ? maxShares : shares;
}

/** CFS quota in microseconds per period; 0 = no limit. Source: as above, MilliCPUToQuota. */
export function milliCpuToQuota(milliCpu: number, periodUs: bigint): bigint {
  if (milliCpu === 0) return 0n;
  const quota = (BigInt(milliCpu) * periodUs) / 1000n;
  return quota < minQuotaUs ? minQuotaUs : quota;
}
