import { grpcCodeName, KubeletError } from '@podwright/errors';
import type { Histogram, MetricsRegistry } from '@podwright/metrics';

export interface ObservedCall {
  readonly driver: string;
  /** Full name of the gRPC method, such as `/csi.v1.Node/NodeStageVolume`. */
  readonly method: string;
  readonly migrated: boolean;
  readonly durationMs: number;
  /** Absent when the call succeeded. */
  readonly error?: unknown;
}

/** Durations of the calls to drivers. Source: kubernetes v1.36 pkg/volume/csi/csi_metrics.go, pkg/volume/util/metrics.go. */
export class OperationMetrics {
  private readonly seconds: Histogram;

  constructor(metrics: Pick<MetricsRegistry, 'histogram'>) {
    this.seconds = metrics.histogram({
      name: 'csi_operations_seconds',
      help: 'Container Storage Interface operation duration with gRPC error code status total',
      labels: ['driver_name', 'method_name', 'grpc_status_code', 'migrated'],
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600],
    });
  }

  observe({ driver, method, migrated, durationMs, error }: ObservedCall): void {
    this.seconds.observe(durationMs / 1000, {
      driver_name: driver,
      method_name: method,
      grpc_status_code: statusOf(error),
      migrated: String(migrated),
    });
  }
}

function statusOf(error: unknown): string {
  if (error === undefined) return 'OK';
  const known = KubeletError.from(error);
  return known !== error && known.code === 'unknown' ? 'unknown-non-grpc' : grpcCodeName(known.code);
}
