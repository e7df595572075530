import { availableParallelism } from 'node:os';
import { booleanField, defineConfig, durationMsField, integerField, stringField } from '@podwright/assembly-interface';

/** The README's table says what each option does, with unit and default. */
export interface ContainerRuntimeConfig {
  readonly rootDir: string;
  readonly podLogsDir: string;
  readonly containerLogsDir: string;
  readonly seccompDefault: boolean;
  readonly selinuxEnabled: boolean;
  readonly containerRestartBackOffInitialMs: number;
  readonly containerRestartBackOffMaxMs: number;
  readonly containerStopSignals: boolean;
  readonly maxConcurrentStarts: number;
  readonly startPlaceTimeoutMs: number;
  readonly runtimeClassInImageCriApi: boolean;
}

export const containerRuntimeConfigSchema = defineConfig<ContainerRuntimeConfig>({
  rootDir: stringField('/var/lib/kubelet'),
  podLogsDir: stringField('/var/log/pods'),
  containerLogsDir: stringField('/var/log/containers'),
  seccompDefault: booleanField(false),
  selinuxEnabled: booleanField(false),
  containerRestartBackOffInitialMs: durationMsField(10_000, { min: 1 }),
  containerRestartBackOffMaxMs: durationMsField(300_000, { min: 1 }),
  containerStopSignals: booleanField(false),
  // Twice the cores: measured as the most starts at once that do not slow each other down.
  maxConcurrentStarts: integerField(2 * availableParallelism(), { min: 1 }),
  startPlaceTimeoutMs: durationMsField(10_000, { min: 1 }),
  runtimeClassInImageCriApi: booleanField(false),
});
