import { createToken, defineConfig, durationMsField } from '@podwright/assembly-interface';

export interface DefaultNodeLeaseConfig {
  /** How long one piece of work may take, in milliseconds. */
  readonly timeoutMs: number;
}

export const DEFAULT_NODE_LEASE_CONFIG = createToken<DefaultNodeLeaseConfig>('kubelet.node-lease.config/v1');

export const defaultNodeLeaseConfigSchema = defineConfig<DefaultNodeLeaseConfig>(DEFAULT_NODE_LEASE_CONFIG, {
  timeoutMs: durationMsField(120_000),
});
