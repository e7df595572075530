import { describe, expect, it } from '@podwright/contract';
import type { JournalEntry } from '@podwright/journal-interface';
import type { FlightRecorder } from '../flight-recorder.js';
import { recordingVersion, type RecordingHeader, type RecordingLine } from '../recording.js';

/** A new instance, not started, on an empty disk. */
export interface FlightRecorderHarness {
  readonly flightRecorder: FlightRecorder;
  /** A manager decides something. */
  decide(entry: JournalEntry): void;
  /** Makes the runtime answer a call, as a manager would ask it. */
  askRuntime(containerId: string, outcome: 'answers' | 'fails'): Promise<void>;
  /** The lines of what {@link FlightRecorder.read} gives. */
  lines(): Promise<readonly (RecordingHeader | RecordingLine)[]>;
  /** The lines of what {@link FlightRecorder.record} gives while `meanwhile` runs; then its signal aborts. */
  linesOfRecord(meanwhile: () => Promise<void>): Promise<readonly (RecordingHeader | RecordingLine)[]>;
  /** Lines of the newest recording as a reader finds them after the process was killed, a while after the last line. */
  linesAfterKill(): Promise<readonly (RecordingHeader | RecordingLine)[]>;
  /** A secret that every answer of {@link askRuntime} carries in the runtime's own view of the container. */
  readonly secret: string;
}

const decision: JournalEntry = { kind: 'lease.failed', error: 'connection refused', seq: 1, atMs: 1 };

/** Every implementation of {@link FlightRecorder} passes this suite; `create` gives a new instance per case. */
export function describeFlightRecorderContract(name: string, create: () => Promise<FlightRecorderHarness>): void {
  describe(`${name} as a FlightRecorder`, () => {
    it('records calls, failures and decisions in their order, after a header', async () => {
      const { flightRecorder, askRuntime, decide, lines } = await create();
      await flightRecorder.start();
      await askRuntime('c1', 'answers');
      decide(decision);
      await askRuntime('c1', 'fails');
      const [header, ...rest] = await lines();
      expect(header).toMatchObject({ t: 'recording', version: recordingVersion });
      expect(rest.map((line) => line.t)).toEqual(['call', 'decision', 'call']);
      expect(rest[0]).toMatchObject({ seam: 'runtime', method: 'containerStatus', answer: {} });
      expect(rest[1]).toMatchObject({ entry: decision });
      expect(rest[2]).toMatchObject({ error: { code: 'unavailable', message: 'no runtime' } });
      await flightRecorder.stop();
    });

    it('keeps an answer that repeats only once', async () => {
      const { flightRecorder, askRuntime, lines } = await create();
      await flightRecorder.start();
      for (const id of ['c1', 'c1', 'c2']) await askRuntime(id, 'answers');
      const calls = (await lines()).filter((line) => line.t === 'call');
      expect(calls.map(({ same }) => same)).toEqual([undefined, true, undefined]);
      await flightRecorder.stop();
    });

    it('keeps no secret', async () => {
      const { flightRecorder, askRuntime, lines, secret } = await create();
      await flightRecorder.start();
      await askRuntime('c1', 'answers');
      expect(JSON.stringify(await lines())).not.toContain(secret);
      await flightRecorder.stop();
    });

    it('records from now on, after a snapshot of what was there before, without a secret', async () => {
      const { flightRecorder, askRuntime, linesOfRecord, secret } = await create();
      await flightRecorder.start();
      await askRuntime('c1', 'answers');
      const lines = await linesOfRecord(() => askRuntime('c2', 'answers'));
      expect(lines[0]).toMatchObject({ t: 'recording', version: recordingVersion });
      expect(lines.slice(1).map((line) => [line.t, 'snapshot' in line])).toEqual([
        ['call', true],
        ['call', false],
        ['end', false],
      ]);
      expect(lines.at(-1)).toMatchObject({ cause: 'asked' });
      expect(JSON.stringify(lines)).not.toContain(secret);
      await flightRecorder.stop();
    });

    it('leaves what it has recorded to a reader after a kill', async () => {
      const { flightRecorder, askRuntime, linesAfterKill } = await create();
      await flightRecorder.start();
      await askRuntime('c1', 'answers');
      expect((await linesAfterKill()).map((line) => line.t)).toEqual(['recording', 'call']);
      expect(flightRecorder.file()).toBeDefined();
      await flightRecorder.stop();
    });

    it('ends the recording at a stop, which may come twice', async () => {
      const { flightRecorder, askRuntime, lines } = await create();
      await flightRecorder.start();
      await askRuntime('c1', 'answers');
      await flightRecorder.stop();
      await flightRecorder.stop();
      await askRuntime('c2', 'answers');
      expect((await lines()).map((line) => line.t)).toEqual(['recording', 'call', 'end']);
      expect(flightRecorder.healthy()).toEqual({ ok: true });
    });
  });
}
