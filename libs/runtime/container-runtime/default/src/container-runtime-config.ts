import { availableParallelism, totalmem } from 'node:os';
import {
  booleanField,
  createToken,
  defineConfig,
  durationMsField,
  enumField,
  integerField,
  numberField,
  stringField,
} from '@podwright/assembly-interface';

/** The README's table says what each option does, with unit and default. */
export interface ContainerRuntimeConfig {
  readonly rootDir: string;
  readonly podLogsDir: string;
  readonly containerLogsDir: string;
  readonly cpuCfsQuota: boolean;
  readonly cpuCfsQuotaPeriodMs: number;
  readonly cgroupVersion: number;
  readonly singleProcessOomKill: boolean;
  readonly seccompDefault: boolean;
  readonly selinuxEnabled: boolean;
  readonly nodeMemoryBytes: number;
  readonly nodeSwapBytes: number;
  readonly swapControllerAvailable: boolean;
  readonly memorySwapBehavior: 'NoSwap' | 'LimitedSwap';
  readonly memoryQos: boolean;
  readonly memoryThrottlingFactor: number;
  readonly memoryReservationPolicy: 'None' | 'TieredReservation';
  readonly nodeAllocatableMemoryBytes: number;
  readonly containerRestartBackOffInitialMs: number;
  readonly containerRestartBackOffMaxMs: number;
  readonly containerStopSignals: boolean;
  readonly maxConcurrentStarts: number;
  readonly startPlaceTimeoutMs: number;
  readonly runtimeClassInImageCriApi: boolean;
  readonly podLevelResize: boolean;
  readonly initContainerResize: boolean;
}

export const CONTAINER_RUNTIME_CONFIG = createToken<ContainerRuntimeConfig>('kubelet.container-runtime.config/v1');

export const containerRuntimeConfigSchema = defineConfig<ContainerRuntimeConfig>(CONTAINER_RUNTIME_CONFIG, {
  rootDir: stringField('/var/lib/kubelet'),
  podLogsDir: stringField('/var/log/pods'),
  containerLogsDir: stringField('/var/log/containers'),
  cpuCfsQuota: booleanField(true),
  cpuCfsQuotaPeriodMs: durationMsField(100, { min: 1, max: 1000 }),
  cgroupVersion: integerField(2, { min: 1, max: 2 }),
  singleProcessOomKill: booleanField(false),
  seccompDefault: booleanField(false),
  selinuxEnabled: booleanField(false),
  nodeMemoryBytes: integerField(totalmem(), { min: 1 }),
  nodeSwapBytes: integerField(0, { min: 0 }),
  swapControllerAvailable: booleanField(false),
  memorySwapBehavior: enumField(['NoSwap', 'LimitedSwap'], 'NoSwap'),
  memoryQos: booleanField(false),
  memoryThrottlingFactor: numberField(0.9, { min: 0, max: 1 }),
  memoryReservationPolicy: enumField(['None', 'TieredReservation'], 'None'),
  nodeAllocatableMemoryBytes: integerField(0, { min: 0 }),
  containerRestartBackOffInitialMs: durationMsField(10_000, { min: 1 }),
  containerRestartBackOffMaxMs: durationMsField(300_000, { min: 1 }),
  containerStopSignals: booleanField(false),
  // Twice the cores: measured as the best of what the node can start at once without slowing each start down.
  maxConcurrentStarts: integerField(2 * availableParallelism(), { min: 1 }),
  startPlaceTimeoutMs: durationMsField(10_000, { min: 1 }),
  runtimeClassInImageCriApi: booleanField(false),
  podLevelResize: booleanField(true),
  initContainerResize: booleanField(true),
});
