import type { MetricsRegistry } from '@podwright/metrics';
import type { CertificatePair } from '@podwright/cert-rotation-interface';
import type { Clock } from '@podwright/time';

/** Metrics of a rotating certificate manager. */
export interface RotationMetrics {
  renewFailed(): void;
  /** Observes the age of a certificate at its replacement, in milliseconds. */
  rotated(livedMs: number): void;
}

const [minuteS, hourS, dayS] = [60, 3_600, 86_400];
// Upstream's buckets, up to "4 years" of 360 days.
const rotationBuckets = [
  minuteS,
  hourS,
  4 * hourS,
  dayS,
  7 * dayS,
  30 * dayS,
  90 * dayS,
  180 * dayS,
  360 * dayS,
  1440 * dayS,
];

/** Metrics of the serving certificate. Source: kubernetes v1.36 pkg/kubelet/certificate/kubelet.go. */
export function servingMetrics(metrics: MetricsRegistry): RotationMetrics {
  const failures = metrics.counter({
    name: 'kubelet_server_expiration_renew_errors',
    help: 'Counter of certificate renewal errors.',
  });
  const lived = metrics.histogram({
    name: 'kubelet_certificate_manager_server_rotation_seconds',
    help: 'Histogram of the number of seconds the previous certificate lived before being rotated.',
    buckets: rotationBuckets,
  });
  return { renewFailed: () => failures.increment(), rotated: (livedMs) => lived.observe(livedMs / 1000) };
}

/** Metrics of the client certificate. Source: as {@link servingMetrics}. */
export function clientMetrics(metrics: MetricsRegistry): RotationMetrics {
  const failures = metrics.counter({
    name: 'kubelet_certificate_manager_client_expiration_renew_errors',
    help: 'Counter of certificate renewal errors.',
  });
  return { renewFailed: () => failures.increment(), rotated: () => undefined };
}

/** Seconds until the certificate in use expires, +Inf without one. Returns unregister. */
export function registerTtl(
  metrics: MetricsRegistry,
  which: 'client' | 'server',
  clock: Pick<Clock, 'now'>,
  current: () => CertificatePair | undefined,
): () => void {
  const invalid = `If ${which === 'client' ? 'client' : 'serving'} certificate is invalid or unused, the value will be +INF.`;
  const whose =
    which === 'client'
      ? "the TTL (time-to-live) of the Kubelet's client"
      : "the shortest TTL (time-to-live) of the Kubelet's serving";
  return metrics.computed({
    name: `kubelet_certificate_manager_${which}_ttl_seconds`,
    help: `Gauge of ${whose} certificate. The value is in seconds until certificate expiry (negative if already expired). ${invalid}`,
    type: 'gauge',
    collect: () => {
      const pair = current();
      return [{ value: pair === undefined ? Infinity : Math.trunc((pair.notAfterMs - clock.now()) / 1000) }];
    },
  });
}
