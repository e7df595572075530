import { defineConfig, integerField, stringField } from '@podwright/assembly-interface';

export interface GrpcPodsApiConfig {
  /** Absolute path of the unix socket. */
  readonly socket: string;
  /** Lists and gets per second, for all clients together; watches have no limit. */
  readonly qps: number;
  /** Burst size above `qps`. */
  readonly burst: number;
  /** A watcher that has this many events to read is cut off. */
  readonly maxPendingEvents: number;
}

// Source: kubernetes v1.36 pkg/kubelet/apis/pods/constants.go, server.go.
export const grpcPodsApiConfigSchema = defineConfig<GrpcPodsApiConfig>({
  socket: stringField('/var/lib/kubelet/pods-api/pods-api.sock'),
  qps: integerField(100, { min: 1 }),
  burst: integerField(10, { min: 1 }),
  maxPendingEvents: integerField(100, { min: 1 }),
});
