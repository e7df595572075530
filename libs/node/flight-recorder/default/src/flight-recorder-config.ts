import { defineConfig, durationMsField, enumField, integerField, stringField } from '@podwright/assembly-interface';
import { usualWorldBytes } from './tape/recording-tape.js';

export interface FlightRecorderConfig {
  /** The kubelet's state directory; recordings are in `flight-recorder` below it. */
  readonly rootDir: string;
  /** `always`: recordings are kept on disk. `on-demand`: only what somebody asks for is recorded. */
  readonly write: 'always' | 'on-demand';
  /** Most bytes of all recordings together. The oldest eighth goes first. */
  readonly maxDiskBytes: number;
  /** How long lines are collected before they are compressed and written, in milliseconds. */
  readonly writeDelayMs: number;
  /** Most bytes that wait to be written; what comes beyond is left out. */
  readonly bufferBytes: number;
  /** Most bytes of memory for what a snapshot needs; what was not used for longest goes first. */
  readonly worldBytes: number;
}

export const flightRecorderConfigSchema = defineConfig<FlightRecorderConfig>({
  rootDir: stringField('/var/lib/kubelet'),
  write: enumField(['always', 'on-demand'], 'always'),
  maxDiskBytes: integerField(64 * 2 ** 20, { min: 64 * 1024 }),
  // What a kill -9 may cost. Larger batches compress better.
  writeDelayMs: durationMsField(1_000),
  bufferBytes: integerField(32 * 2 ** 20, { min: 64 * 1024 }),
  worldBytes: integerField(usualWorldBytes, { min: 2 ** 20 }),
});
