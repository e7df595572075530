import { createReadStream } from 'node:fs';
import path from 'node:path';
import { CLOCK, LOGGER, needs, optional, pick, type Health, type Needs } from '@podwright/assembly-interface';
import { withDeadline } from '@podwright/concurrency';
import { hasCode, KubeletError } from '@podwright/errors';
import { RECORDING_FACTS, type FlightRecorder } from '@podwright/flight-recorder-interface';
import { JOURNAL_READER } from '@podwright/journal-interface';
import { RecordingFiles } from './disk/recording-files.js';
import { RecordingWriter } from './disk/recording-writer.js';
import type { FlightRecorderConfig } from './flight-recorder-config.js';
import { RecordingTape } from './tape/recording-tape.js';

export const flightRecorderNeeds = needs({
  clock: CLOCK,
  logger: LOGGER,
  facts: optional(RECORDING_FACTS),
  /** Without it a replay has nothing to compare with. */
  journal: optional(pick(JOURNAL_READER, 'follow')),
});
export type FlightRecorderNeeds = Needs<typeof flightRecorderNeeds>;

// Shorter than the process's limit for one manager.
const stopTimeoutMs = 400;

/** {@link FlightRecorder} that writes one file for each process. */
export class FileFlightRecorder implements FlightRecorder {
  readonly tape: RecordingTape;
  private readonly writer: RecordingWriter;
  private unfollow: () => void = () => undefined;
  private started = false;
  private stopped = false;

  constructor(
    private readonly deps: FlightRecorderNeeds,
    { rootDir, ...config }: FlightRecorderConfig,
  ) {
    const { clock, logger, facts } = deps;
    const files = new RecordingFiles(path.join(rootDir, 'flight-recorder'));
    this.writer = new RecordingWriter({ files, clock, logger, at: () => this.tape.at() }, { rootDir, ...config });
    this.tape = new RecordingTape(clock, (line) => this.writer.add(line), facts?.());
  }

  async start(): Promise<void> {
    if (this.stopped) return;
    this.started = true;
    this.unfollow = this.deps.journal?.follow((entry) => this.tape.decided(entry)) ?? this.unfollow;
  }

  /** It is among the last to stop, so what the managers decide while they stop is recorded. */
  async stop(): Promise<void> {
    if (this.stopped) return;
    this.stopped = true;
    this.unfollow();
    if (this.started) this.tape.end();
    try {
      await withDeadline(this.deps.clock, stopTimeoutMs, () => this.writer.stop());
    } catch (error) {
      if (!hasCode(error, 'deadline-exceeded')) throw error;
      this.deps.logger.warn('the end of the recording may not be on disk', { waitedMs: stopTimeoutMs });
    }
  }

  file(): string | undefined {
    return this.writer.path;
  }

  /** Size of the file. */
  get writtenBytes(): number {
    return this.writer.bytes;
  }

  async *read(signal?: AbortSignal): AsyncIterable<Uint8Array> {
    await this.writer.flush();
    const file = this.writer.path;
    if (file === undefined) throw new KubeletError('nothing is recorded yet', { code: 'failed-precondition' });
    yield* createReadStream(file, { ...(signal && { signal }) }) as AsyncIterable<Uint8Array>;
  }

  healthy(): Health {
    return { ok: true, ...(this.writer.isFull && { detail: 'the recording has reached its limit' }) };
  }
}
