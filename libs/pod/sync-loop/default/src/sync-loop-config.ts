import { booleanField, createToken, defineConfig, durationMsField } from '@podwright/assembly-interface';

export interface SyncLoopConfig {
  /** Pause between two housekeeping passes. */
  readonly housekeepingPeriodMs: number;
  /** Directories and cgroups of unknown pods are searched at least this often, and after each change at once. */
  readonly orphanSearchPeriodMs: number;
  /** The loop is unhealthy when no iteration started for this long. Upstream: max(5 min, 2 x syncFrequency). */
  readonly stalledAfterMs: number;
  /** Gate NodeDeclaredFeatures: an update that needs a feature which the node does not declare brings an event. */
  readonly nodeDeclaredFeatures: boolean;
}

export const SYNC_LOOP_CONFIG = createToken<SyncLoopConfig>('kubelet.sync-loop.config/v1');

export const syncLoopConfig = defineConfig<SyncLoopConfig>(SYNC_LOOP_CONFIG, {
  housekeepingPeriodMs: durationMsField(2_000, { min: 1 }),
  orphanSearchPeriodMs: durationMsField(30_000, { min: 1 }),
  stalledAfterMs: durationMsField(300_000, { min: 1 }),
  nodeDeclaredFeatures: booleanField(true),
});
