import { booleanField, defineConfig, durationMsField } from '@podwright/assembly-interface';

export interface SyncLoopConfig {
  /** Time between two housekeeping passes. */
  readonly housekeepingPeriodMs: number;
  /** Longest time between two searches for directories and cgroups of unknown pods; each change also triggers one. */
  readonly orphanSearchPeriodMs: number;
  /** The loop is unhealthy when no iteration started for this long. Upstream: max(5 min, 2 x syncFrequency). */
  readonly stalledAfterMs: number;
  /** Gate NodeDeclaredFeatures: an update that needs a feature which the node does not declare causes an event. */
  readonly nodeDeclaredFeatures: boolean;
}

export const syncLoopConfig = defineConfig<SyncLoopConfig>({
  housekeepingPeriodMs: durationMsField(2_000, { min: 1 }),
  orphanSearchPeriodMs: durationMsField(30_000, { min: 1 }),
  stalledAfterMs: durationMsField(300_000, { min: 1 }),
  nodeDeclaredFeatures: booleanField(true),
});
