import {
  booleanField,
  createToken,
  defineConfig,
  durationMsField,
  enumField,
  stringField,
} from '@podwright/assembly-interface';

/** The README's table says what each option does, with unit and default. */
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

export const ALLOCATION_MANAGER_CONFIG = createToken<AllocationManagerConfig>('kubelet.allocation-manager.config/v1');

export const allocationManagerConfigSchema = defineConfig<AllocationManagerConfig>(ALLOCATION_MANAGER_CONFIG, {
  inPlaceResize: booleanField(true),
  initContainerResize: booleanField(true),
  podLevelResize: booleanField(true),
  podLevelResources: booleanField(true),
  exclusiveCpuResize: booleanField(false),
  exclusiveMemoryResize: booleanField(false),
  // Their managers know what others there are.
  cpuManagerPolicy: stringField('none'),
  memoryManagerPolicy: stringField('None'),
  swapControllerAvailable: booleanField(false),
  memorySwapBehavior: enumField(['NoSwap', 'LimitedSwap'], 'NoSwap'),
  // Upstream's: a kubelet that has just started has much to find out soon, later most triggers are events.
  firstRetryMs: durationMsField(30_000, { min: 1 }),
  retryMs: durationMsField(180_000, { min: 1 }),
});
