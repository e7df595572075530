import { createToken, defineConfig, durationMsField } from '@podwright/assembly-interface';

export interface DefaultKubeClientConfig {
  /** How long one piece of work may take, in milliseconds. */
  readonly timeoutMs: number;
}

export const DEFAULT_KUBE_CLIENT_CONFIG = createToken<DefaultKubeClientConfig>('kubelet.kube-client.config/v1');

export const defaultKubeClientConfigSchema = defineConfig<DefaultKubeClientConfig>(DEFAULT_KUBE_CLIENT_CONFIG, {
  timeoutMs: durationMsField(120_000),
});
