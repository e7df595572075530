const mebi = 1024 ** 2;
const gibi = 1024 ** 3;

// Largest first: the first bound that is exceeded names the bucket.
const buckets: readonly (readonly [lowerBoundBytes: number, label: string])[] = [
  [100 * gibi, 'GT100GB'],
  [60 * gibi, '60GB-100GB'],
  [40 * gibi, '40GB-60GB'],
  [30 * gibi, '30GB-40GB'],
  [20 * gibi, '20GB-30GB'],
  [10 * gibi, '10GB-20GB'],
  [5 * gibi, '5GB-10GB'],
  [gibi, '1GB-5GB'],
  [500 * mebi, '500MB-1GB'],
  [100 * mebi, '100MB-500MB'],
  [10 * mebi, '10MB-100MB'],
  [0, '0-10MB'],
];

/** Label value for kubelet_image_pull_duration_seconds. Source: kubernetes v1.36 pkg/kubelet/metrics/metrics.go. */
export function imageSizeBucket(sizeBytes: bigint): string {
  const size = Number(sizeBytes);
  return buckets.find(([lowerBoundBytes]) => size > lowerBoundBytes)?.[1] ?? 'N/A';
}
