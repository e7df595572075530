import { createToken, defineConfig, durationMsField, integerField, stringField } from '@podwright/assembly-interface';

export interface RenewingNodeLeaseConfig {
  readonly nodeName: string;
  /** How long the node counts as alive after a renewal; a quarter of it lies between two renewals. */
  readonly leaseDurationSeconds: number;
  /** Longest wait for one answer of the API server, in milliseconds. */
  readonly timeoutMs: number;
}

export const RENEWING_NODE_LEASE_CONFIG = createToken<RenewingNodeLeaseConfig>('kubelet.node-lease.config/v1');

export const renewingNodeLeaseConfigSchema = defineConfig<RenewingNodeLeaseConfig>(RENEWING_NODE_LEASE_CONFIG, {
  nodeName: stringField(),
  leaseDurationSeconds: integerField(40, { min: 1 }),
  timeoutMs: durationMsField(10_000, { min: 1 }),
});
