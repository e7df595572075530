import { createToken, defineConfig, durationMsField, stringField } from '@podwright/assembly-interface';

export interface CriClientConfig {
  /** Socket of the runtime: `unix:///path` or a bare absolute path. */
  readonly runtimeEndpoint: string;
  /** Socket of the image service; empty = the runtime's. It gets a connection of its own either way. */
  readonly imageEndpoint: string;
  /** Base of all deadlines, in milliseconds. */
  readonly requestTimeoutMs: number;
}

export const CRI_CLIENT_CONFIG = createToken<CriClientConfig>('kubelet.cri.client-config/v1');

// Defaults: kubernetes v1.36 pkg/kubelet/apis/config/v1beta1/defaults.go.
export const criClientConfigSchema = defineConfig<CriClientConfig>(CRI_CLIENT_CONFIG, {
  runtimeEndpoint: stringField('unix:///run/containerd/containerd.sock'),
  imageEndpoint: stringField(''),
  requestTimeoutMs: durationMsField(120_000, { min: 1 }),
});
