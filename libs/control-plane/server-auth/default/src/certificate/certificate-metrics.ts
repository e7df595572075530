import type { Histogram, MetricsRegistry } from '@podwright/metrics';

const [minute, hour, day] = [60, 3_600, 86_400];
const buckets = [
  0,
  30 * minute,
  hour,
  2 * hour,
  6 * hour,
  12 * hour,
  day,
  2 * day,
  4 * day,
  7 * day,
  30 * day,
  90 * day,
];

/**
 * Upstream's histogram of the remaining lifetime of client certificates. Source: kubernetes v1.36
 * apiserver/pkg/authentication/request/x509/x509.go clientCertificateExpirationHistogram.
 */
export function createExpirationMetric(metrics: MetricsRegistry): Histogram {
  return metrics.histogram({
    name: 'apiserver_client_certificate_expiration_seconds',
    help: 'Distribution of the remaining lifetime on the certificate used to authenticate a request.',
    buckets: [...buckets, 180 * day, 360 * day],
  });
}
