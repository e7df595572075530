import { defineConfig, integerField, stringField } from '@podwright/assembly-interface';

export interface GrpcPodsApiConfig {
  /** Absolute path of the unix socket. */
  readonly socket: string;
  /** Lists and gets per second, for all clients together; watches do not count. */
  readonly qps: number;
  /** Burst size above `qps`. */
  readonly burst: number;
  /** A watcher that has this many events to read is cut off. */
  readonly maxPendingEvents: number;
  /** Open watches of all clients together; a further one is refused. */
  readonly maxWatches: number;
}

// Source: kubernetes v1.36 pkg/kubelet/apis/pods/constants.go, server.go.
export const grpcPodsApiConfigSchema = defineConfig<GrpcPodsApiConfig>({
  socket: stringField('/var/lib/kubelet/pods-api/pods-api.sock'),
  qps: integerField(100, { min: 1 }),
  burst: integerField(10, { min: 1 }),
  maxPendingEvents: integerField(100, { min: 1 }),
  // Upstream has no limit. One watch of each agent of a node is far below it.
  maxWatches: integerField(100, { min: 1 }),
});
