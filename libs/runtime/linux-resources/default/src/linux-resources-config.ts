import { totalmem } from 'node:os';
import {
  booleanField,
  defineConfig,
  durationMsField,
  enumField,
  integerField,
  numberField,
  stringField,
} from '@podwright/assembly-interface';
import type { ResourceSettings } from './linux-resources.js';
import type { MemoryQosSettings } from './memory-qos.js';

/** The README's table says what each option does, with unit and default. */
export type LinuxResourcesConfig = ResourceSettings & MemoryQosSettings & { readonly hugePagesDir: string };

export const linuxResourcesConfigSchema = defineConfig<LinuxResourcesConfig>({
  hugePagesDir: stringField('/sys/kernel/mm/hugepages'),
  cpuCfsQuota: booleanField(true),
  cpuCfsQuotaPeriodMs: durationMsField(100, { min: 1, max: 1000 }),
  cgroupVersion: integerField(2, { min: 1, max: 2 }),
  singleProcessOomKill: booleanField(false),
  nodeMemoryBytes: integerField(totalmem(), { min: 1 }),
  nodeSwapBytes: integerField(0, { min: 0 }),
  swapControllerAvailable: booleanField(false),
  memorySwapBehavior: enumField(['NoSwap', 'LimitedSwap'], 'NoSwap'),
  memoryQos: booleanField(false),
  memoryThrottlingFactor: numberField(0.9, { min: 0, max: 1 }),
  memoryReservationPolicy: enumField(['None', 'TieredReservation'], 'None'),
  nodeAllocatableMemoryBytes: integerField(0, { min: 0 }),
});
