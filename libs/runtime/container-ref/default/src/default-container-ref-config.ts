import { createToken, defineConfig, durationMsField } from '@podwright/assembly-interface';

export interface DefaultContainerRefConfig {
  /** How long one piece of work may take, in milliseconds. */
  readonly timeoutMs: number;
}

export const DEFAULT_CONTAINER_REF_CONFIG = createToken<DefaultContainerRefConfig>('kubelet.container-ref.config/v1');

export const defaultContainerRefConfigSchema = defineConfig<DefaultContainerRefConfig>(DEFAULT_CONTAINER_REF_CONFIG, {
  timeoutMs: durationMsField(120_000),
});
