import { booleanField, defineConfig, durationMsField, enumField, stringField } from '@podwright/assembly-interface';

/** Options; the README's table describes each with unit and default. */
export interface AllocationManagerConfig {
  readonly inPlaceResize: boolean;
  readonly initContainerResize: boolean;
  readonly podLevelResize: boolean;
  readonly podLevelResources: boolean;
  readonly exclusiveCpuResize: boolean;
  readonly exclusiveMemoryResize: boolean;
  readonly cpuManagerPolicy: string;
  readonly memoryManagerPolicy: string;
  readonly swapControllerAvailable: boolean;
  readonly memorySwapBehavior: 'NoSwap' | 'LimitedSwap';
  readonly firstRetryMs: number;
  readonly retryMs: number;
}

export const allocationManagerConfigSchema = defineConfig<AllocationManagerConfig>({
  inPlaceResize: booleanField(true),
  initContainerResize: booleanField(true),
  podLevelResize: booleanField(true),
  podLevelResources: booleanField(true),
  exclusiveCpuResize: booleanField(false),
  exclusiveMemoryResize: booleanField(false),
  // Any text: the CPU and memory managers validate their policies.
  cpuManagerPolicy: stringField('none'),
  memoryManagerPolicy: stringField('None'),
  swapControllerAvailable: booleanField(false),
  memorySwapBehavior: enumField(['NoSwap', 'LimitedSwap'], 'NoSwap'),
  // Upstream's values: frequent at first, because much changes after a start; later most retries follow events.
  firstRetryMs: durationMsField(30_000, { min: 1 }),
  retryMs: durationMsField(180_000, { min: 1 }),
});
