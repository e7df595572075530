import type { ConditionGates } from '@podwright/status-interface';
import { booleanField, defineConfig, durationMsField, integerField } from '@podwright/assembly-interface';

export interface StatusSenderConfig extends ConditionGates {
  /** Time between two comparisons of all pods with their API objects, and the longest pause before a retry. */
  readonly syncPeriodMs: number;
  /** Maximum number of statuses that are sent at the same time. */
  readonly maxConcurrent: number;
}

export const statusSenderConfig = defineConfig<StatusSenderConfig>({
  syncPeriodMs: durationMsField(10_000, { min: 1 }),
  maxConcurrent: integerField(8, { min: 1 }),
  readyToStartCondition: booleanField(true),
  restartAllContainers: booleanField(true),
});
