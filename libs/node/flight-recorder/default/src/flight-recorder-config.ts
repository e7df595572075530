import { defineConfig, durationMsField, integerField, stringField } from '@podwright/assembly-interface';

export interface FlightRecorderConfig {
  /** The kubelet's state directory; recordings are in `flight-recorder` below it. */
  readonly rootDir: string;
  /** Most bytes of all recordings together. A recording ends at half of it, so that the one before stays. */
  readonly maxDiskBytes: number;
  /** How long lines are collected before they are compressed and written, in milliseconds. */
  readonly writeDelayMs: number;
  /** Most bytes that wait to be written; what comes beyond is left out. */
  readonly bufferBytes: number;
}

export const flightRecorderConfigSchema = defineConfig<FlightRecorderConfig>({
  rootDir: stringField('/var/lib/kubelet'),
  maxDiskBytes: integerField(64 * 2 ** 20, { min: 64 * 1024 }),
  // What a kill -9 may cost. Larger batches compress better.
  writeDelayMs: durationMsField(1_000),
  bufferBytes: integerField(32 * 2 ** 20, { min: 64 * 1024 }),
});
