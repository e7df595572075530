const units = [
  { bytes: 2 ** 40, name: 'TiB' },
  { bytes: 2 ** 30, name: 'GiB' },
  { bytes: 2 ** 20, name: 'MiB' },
  { bytes: 2 ** 10, name: 'KiB' },
] as const;

/** `12 B`, `1.5 KiB`, `3.0 TiB`. Source: kubernetes v1.36 pkg/kubelet/images/image_gc_manager.go formatSize. */
export function formatSize(bytes: bigint): string {
  const size = Number(bytes);
  const unit = units.find((candidate) => size >= candidate.bytes);
  return unit === undefined ? `${size} B` : `${oneDigit(size / unit.bytes)} ${unit.name}`;
}

/**
 * Go rounds half to even, JavaScript rounds half up. Sizes are fractions of a power of two, so .25 and .75 are the only
 * ties, and only .25 differs.
 */
function oneDigit(value: number): string {
  return value % 1 === 0.25 ? (value - 0.05).toFixed(1) : value.toFixed(1);
}
