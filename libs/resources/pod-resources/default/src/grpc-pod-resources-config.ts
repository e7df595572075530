import { booleanField, defineConfig, integerField, stringField } from '@podwright/assembly-interface';

export interface GrpcPodResourcesConfig {
  /** Absolute path of the unix socket. */
  readonly socket: string;
  /** Calls per second, for all clients together. */
  readonly qps: number;
  /** Burst size above `qps`. */
  readonly burst: number;
  /** false: lists include terminated pods. */
  readonly listActivePods: boolean;
}

// Source: kubernetes v1.36 pkg/kubelet/apis/podresources/constants.go.
export const grpcPodResourcesConfigSchema = defineConfig<GrpcPodResourcesConfig>({
  socket: stringField('/var/lib/kubelet/pod-resources/kubelet.sock'),
  qps: integerField(100, { min: 1 }),
  burst: integerField(10, { min: 1 }),
  listActivePods: booleanField(true),
});
