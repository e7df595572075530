import { booleanField, defineConfig, durationMsField, stringField } from '@podwright/assembly-interface';

export interface CriClientConfig {
  /** Socket of the runtime: `unix:///path` or a bare absolute path. */
  readonly runtimeEndpoint: string;
  /** Socket of the image service; empty = the runtime's socket. It has its own connection in both cases. */
  readonly imageEndpoint: string;
  /** Base of all deadlines, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** Gate CRIListStreaming: lists come as streams, so that their size has no limit, if the runtime has these calls. */
  readonly streamLists: boolean;
}

// Defaults: kubernetes v1.36 pkg/kubelet/apis/config/v1beta1/defaults.go.
export const criClientConfigSchema = defineConfig<CriClientConfig>({
  runtimeEndpoint: stringField('unix:///run/containerd/containerd.sock'),
  imageEndpoint: stringField(''),
  requestTimeoutMs: durationMsField(120_000, { min: 1 }),
  streamLists: booleanField(false),
});
