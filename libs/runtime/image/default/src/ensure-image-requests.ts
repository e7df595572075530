import type { EnsureImageRequest } from '@podwright/image-interface';
import type { MetricsRegistry } from '@podwright/metrics';

/** What became known while an image was asked for; absent: not known when the request ended. */
export interface EnsuredImage {
  presentLocally?: boolean;
  pullRequired?: boolean | undefined;
}

/** Counts requests, one call each at its end. Source: kubernetes v1.36 pkg/kubelet/images/metrics.go. */
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
