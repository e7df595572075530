import { booleanField, createToken, defineConfig, integerField, stringField } from '@podwright/assembly-interface';

export interface GrpcPodResourcesConfig {
  /** Absolute path of the unix socket. */
  readonly socket: string;
  /** Calls per second, all clients together. */
  readonly qps: number;
  /** Calls that may come at once. */
  readonly burst: number;
  /** false: a list shows pods that have ended as well. */
  readonly listActivePods: boolean;
}

export const GRPC_POD_RESOURCES_CONFIG = createToken<GrpcPodResourcesConfig>('kubelet.pod-resources.config/v1');

// Source: kubernetes v1.36 pkg/kubelet/apis/podresources/constants.go.
export const grpcPodResourcesConfigSchema = defineConfig<GrpcPodResourcesConfig>(GRPC_POD_RESOURCES_CONFIG, {
  socket: stringField('/var/lib/kubelet/pod-resources/kubelet.sock'),
  qps: integerField(100, { min: 1 }),
  burst: integerField(10, { min: 1 }),
  listActivePods: booleanField(true),
});
