import { defineConfig, durationMsField, integerField, stringField } from '@podwright/assembly-interface';

export interface RenewingNodeLeaseConfig {
  readonly nodeName: string;
  /** How long the node counts as alive after a renewal; the lease is renewed every quarter of it. */
  readonly leaseDurationSeconds: number;
  /** Longest wait for one answer of the API server, in milliseconds. */
  readonly timeoutMs: number;
}

export const renewingNodeLeaseConfigSchema = defineConfig<RenewingNodeLeaseConfig>({
  nodeName: stringField(),
  leaseDurationSeconds: integerField(40, { min: 1 }),
  timeoutMs: durationMsField(10_000, { min: 1 }),
});
