import type { EnsureImageRequest } from '@podwright/image-interface';
import type { MetricsRegistry } from '@podwright/metrics';

/** What a request found out about its image; a field is absent when the request ended before. */
export interface EnsuredImage {
  presentLocally?: boolean;
  pullRequired?: boolean | undefined;
}

/**
 * Makes the counter of requests; call it once at the end of each. Source: kubernetes v1.36
 * pkg/kubelet/images/metrics.go.
 */
export function ensureImageRequestCounter(
  metrics: MetricsRegistry,
): (request: EnsureImageRequest, known: EnsuredImage) => void {
  const counter = metrics.counter({
    name: 'kubelet_image_manager_ensure_image_requests_total',
    help: 'Number of ensure-image requests processed by the kubelet.',
    labels: ['pull_policy', 'present_locally', 'pull_required'],
  });
  return ({ pullPolicy }, { presentLocally, pullRequired }) =>
    counter.increment({
      pull_policy: pullPolicy.toLowerCase(),
      present_locally: String(presentLocally ?? 'unknown'),
      pull_required: String(pullRequired ?? 'unknown'),
    });
}
