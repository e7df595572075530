import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';
import type { RecordingFacts } from './recording.js';

/**
 * Records what comes in over the seams of the kubelet and what its managers decide, so that a run can be repeated. It
 * wraps the tokens of the seams; no manager knows it. Recording holds up nobody: what cannot be written is left out and
 * counted in a `gap`. Secrets are replaced before anything is kept. Upstream has no counterpart.
 */
export interface FlightRecorder extends Lifecycle, HealthReporter {
  /** File of this process's recording, or of its newest segment; undefined while none is written. */
  file(): string | undefined;
  /**
   * What is kept of this process's recording, as one file. Ends with what was recorded before the call. Throws
   * `failed-precondition` when there is none.
   */
  read(signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /**
   * A recording from now on, as a file that begins with a snapshot of the world. It ends in order when the signal aborts
   * or the recorder stops; several may run beside each other. Throws `failed-precondition` when the recorder does not run.
   */
  record(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

export const FLIGHT_RECORDER = createToken<FlightRecorder>('kubelet.flight-recorder/v1');

/** What the program was started with, for the first line of recordings. The program provides it as a value. */
export const RECORDING_FACTS = createToken<() => RecordingFacts>('kubelet.recording-facts/v1');
