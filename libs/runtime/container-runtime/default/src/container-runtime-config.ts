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
  readonly initialConcurrentStarts: number;
  readonly maxConcurrentStarts: number;
  readonly startPlaceTimeoutMs: number;
  readonly runtimeClassInImageCriApi: boolean;
  readonly podLevelResize: boolean;
}

/**
 * The defaults on a machine with so many cores. Twice the cores were measured as the fewest starts at once that leave no
 * core idle when all that a start needs is on the machine.
 */
export function concurrentStarts(
  cores: number,
): Pick<ContainerRuntimeConfig, 'initialConcurrentStarts' | 'maxConcurrentStarts'> {
  return { initialConcurrentStarts: 2 * cores, maxConcurrentStarts: 16 * cores };
}

const defaultStarts = concurrentStarts(availableParallelism());

export const containerRuntimeConfigSchema = defineConfig<ContainerRuntimeConfig>({
  rootDir: stringField('/var/lib/kubelet'),
  podLogsDir: stringField('/var/log/pods'),
  containerLogsDir: stringField('/var/log/containers'),
  seccompDefault: booleanField(false),
  selinuxEnabled: booleanField(false),
  containerRestartBackOffInitialMs: durationMsField(10_000, { min: 1 }),
  containerRestartBackOffMaxMs: durationMsField(300_000, { min: 1 }),
  containerStopSignals: booleanField(false),
  initialConcurrentStarts: integerField(defaultStarts.initialConcurrentStarts, { min: 1 }),
  maxConcurrentStarts: integerField(defaultStarts.maxConcurrentStarts, { min: 1 }),
  startPlaceTimeoutMs: durationMsField(10_000, { min: 1 }),
  runtimeClassInImageCriApi: booleanField(false),
  podLevelResize: booleanField(true),
});
