import { grpcCodeName, KubeletError } from '@podwright/errors';
import { exponentialBucketsRange, type Histogram, type MetricsRegistry, type Sample } from '@podwright/metrics';
import type { Clock } from '@podwright/time';
import type { ClaimInfo } from './claims/claim-info.js';

const buckets = exponentialBucketsRange(0.1, 40, 15);

export interface DriverCall {
  readonly driver: string;
  /** Full name of the gRPC method. */
  readonly method: string;
  /** Monotonic milliseconds. */
  readonly startedMs: number;
  /** Absent when the call succeeded. */
  readonly error?: unknown;
}

/** Source: kubernetes v1.36 pkg/kubelet/metrics/metrics.go. */
export class DraMetrics {
  private readonly operations: Histogram;
  private readonly calls: Histogram;

  constructor(
    private readonly clock: Clock,
    private readonly metrics: MetricsRegistry,
  ) {
    this.operations = metrics.histogram({
      name: 'dra_operations_duration_seconds',
      help: "Latency histogram in seconds for the duration of handling all ResourceClaims referenced by a pod when the pod starts or stops. Identified by the name of the operation (PrepareResources or UnprepareResources) and separated by the success of the operation. The number of failed operations is provided through the histogram's overall count.",
      labels: ['operation_name', 'is_error'],
      buckets,
    });
    this.calls = metrics.histogram({
      name: 'dra_grpc_operations_duration_seconds',
      help: 'Duration in seconds of the DRA gRPC operations',
      labels: ['driver_name', 'method_name', 'grpc_status_code'],
      buckets,
    });
  }

  /** Counts the claims that are prepared, by driver and all together. Returns unregister. */
  showClaims(claims: () => readonly ClaimInfo[]): () => void {
    return this.metrics.computed({
      name: 'dra_resource_claims_in_use',
      help: 'The number of ResourceClaims that are currently in use on the node, by driver name (driver_name label value) and across all drivers (special value <any> for driver_name). Note that the sum of all by-driver counts is not the total number of in-use ResourceClaims because the same ResourceClaim might use devices from different drivers. Instead, use the count for the <any> driver_name.',
      type: 'gauge',
      labels: ['driver_name'],
      collect: () => claimsInUse(claims()),
    });
  }

  async operation<T>(name: 'PrepareResources' | 'UnprepareResources', work: () => Promise<T>): Promise<T> {
    const startedMs = this.clock.monotonic();
    const observe = (isError: boolean): void =>
      this.operations.observe(this.secondsSince(startedMs), { operation_name: name, is_error: String(isError) });
    try {
      const result = await work();
      observe(false);
      return result;
    } catch (error) {
      observe(true);
      throw error;
    }
  }

  called({ driver, method, startedMs, error }: DriverCall): void {
    const status = error === undefined ? 'OK' : grpcCodeName(KubeletError.from(error).code);
    const labels = { driver_name: driver, method_name: method, grpc_status_code: status };
    this.calls.observe(this.secondsSince(startedMs), labels);
  }

  private secondsSince(startedMs: number): number {
    return (this.clock.monotonic() - startedMs) / 1000;
  }
}

function* claimsInUse(claims: readonly ClaimInfo[]): Iterable<Sample> {
  const prepared = claims.filter((claim) => claim.prepared);
  yield { value: prepared.length, labels: { driver_name: '<any>' } };
  const counts = new Map<string, number>();
  for (const { drivers } of prepared)
    for (const driver of drivers.keys()) counts.set(driver, (counts.get(driver) ?? 0) + 1);
  for (const [driver, value] of counts) yield { value, labels: { driver_name: driver } };
}
