import { open } from 'node:fs/promises';
import path from 'node:path';
import { CLOCK, LOGGER, needs, optional, pick, type Health, type Needs } from '@podwright/assembly-interface';
import { withDeadline } from '@podwright/concurrency';
import { hasCode, KubeletError } from '@podwright/errors';
import { RECORDING_FACTS, type FlightRecorder } from '@podwright/flight-recorder-interface';
import { JOURNAL_READER } from '@podwright/journal-interface';
import { RecordingFiles } from './disk/recording-files.js';
import { RecordingWriter } from './disk/recording-writer.js';
import type { FlightRecorderConfig } from './flight-recorder-config.js';
import { linkSignals } from '@podwright/time';
import { liveRecording } from './live/live-recording.js';
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

/** {@link FlightRecorder} that writes a row of segments for each process, and keeps the newest of them. */
export class FileFlightRecorder implements FlightRecorder {
  readonly tape: RecordingTape;
  private readonly files: RecordingFiles;
  private readonly writer: RecordingWriter;
  private unfollow: () => void = () => undefined;
  private readonly stopping = new AbortController();
  private started = false;
  private stopped = false;

  constructor(
    private readonly deps: FlightRecorderNeeds,
    private readonly config: FlightRecorderConfig,
  ) {
    const { clock, logger, facts } = deps;
    this.files = new RecordingFiles(path.join(config.rootDir, 'flight-recorder'));
    const now = { at: () => this.tape.at(), snapshot: (about: object) => this.tape.snapshot(about) };
    this.writer = new RecordingWriter({ files: this.files, clock, logger, ...now }, config);
    const take = config.write === 'always' ? (line: string) => this.writer.add(line) : () => undefined;
    this.tape = new RecordingTape(clock, take, facts, config);
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
    this.stopping.abort();
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

  /** Size of the segment that is written. */
  get writtenBytes(): number {
    return this.writer.bytes;
  }

  /** Resolves when what was recorded before the call is on disk, or lost. */
  written(): Promise<void> {
    return this.writer.flush();
  }

  async *read(signal?: AbortSignal): AsyncIterable<Uint8Array> {
    await this.writer.flush();
    const { own } = this.files;
    if (own.length === 0)
      throw new KubeletError(
        this.config.write === 'always'
          ? 'nothing is recorded yet'
          : 'this kubelet keeps no recording, because it has --flight-recorder=on-demand; ask for one from now on, with a duration',
        { code: 'failed-precondition' },
      );
    // All are opened first, because the oldest may be removed meanwhile.
    const segments = await Promise.all(own.map(async ({ file, bytes }) => ({ file: await open(file), bytes })));
    try {
      // Not beyond: what is written meanwhile may be half a batch.
      for (const { file, bytes } of segments) {
        const part = { autoClose: false, start: 0, end: bytes - 1, ...(signal && { signal }) };
        yield* file.createReadStream(part) as AsyncIterable<Uint8Array>;
      }
    } finally {
      await Promise.all(segments.map(({ file }) => file.close()));
    }
  }

  async *record(signal: AbortSignal): AsyncIterable<Uint8Array> {
    if (!this.started || this.stopped)
      throw new KubeletError('the flight recorder does not run', { code: 'failed-precondition' });
    const { clock } = this.deps;
    const until = linkSignals(signal, this.stopping.signal);
    try {
      yield* liveRecording({ tape: this.tape, clock }, this.config, until.signal);
    } finally {
      until.dispose();
    }
  }

  /** As {@link record}, for so long at most. */
  async *recordFor(durationMs: number, signal: AbortSignal): AsyncIterable<Uint8Array> {
    const until = linkSignals(signal);
    const timer = this.deps.clock.setTimer(durationMs, () => until.abort());
    try {
      yield* this.record(until.signal);
    } finally {
      timer.cancel();
      until.dispose();
    }
  }

  healthy(): Health {
    return { ok: true };
  }
}
