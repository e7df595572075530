import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  CLOCK,
  createToken,
  defineModule,
  optional,
  type AnyModule,
  type Lifecycle,
} from '@podwright/assembly-interface';
import { RecordingTape, recordedSeams } from '@podwright/flight-recorder';
import { RECORDING_FACTS, type RecordingGap } from '@podwright/flight-recorder-interface';
import { JOURNAL_READER } from '@podwright/journal-interface';

const KEPT_RECORDING = createToken<Lifecycle & { readonly tape: RecordingTape }>('simulation.kept-recording/v1');

// What comes beyond is left out. A case with a failure that takes longer to show has a smaller one in it.
const mostCharacters = 16 * 2 ** 20;

/** The recording of a simulated kubelet, in memory until a wait of a case fails. */
export class KeptRecording {
  private readonly lines: string[] = [];
  private characters = 0;

  take(line: string): void {
    if (this.characters > mostCharacters) return;
    this.characters += line.length;
    this.lines.push(line);
  }

  module(): AnyModule {
    return defineModule({
      name: 'kept-recording',
      provides: [KEPT_RECORDING],
      needs: { clock: CLOCK, facts: optional(RECORDING_FACTS), journal: optional(JOURNAL_READER) },
      create: ({ clock, facts, journal }) => {
        const tape = new RecordingTape(clock, (line) => this.take(line), facts?.());
        let unfollow = (): void => undefined;
        return {
          tape,
          start: async () => void (unfollow = journal?.follow((entry) => tape.decided(entry)) ?? unfollow),
          stop: async () => unfollow(),
        };
      },
      decorates: recordedSeams,
    });
  }

  /** Adds to the error of a wait how what led to it can be seen. */
  async attachTo(error: unknown): Promise<unknown> {
    if (!(error instanceof Error) || this.lines.length === 0) return error;
    const file = path.join(await mkdtemp(path.join(tmpdir(), 'podwright-recording-')), 'recording.jsonl');
    if (this.characters > mostCharacters) {
      const { at } = JSON.parse(this.lines.at(-1) ?? '{}') as Pick<RecordingGap, 'at'>;
      this.lines.push(JSON.stringify({ t: 'gap', at, cause: 'full', lines: 0 } satisfies RecordingGap));
    }
    await writeFile(file, this.lines.map((line) => `${line}\n`).join(''));
    error.message += `\nwhat led to it: node tools/bootstrap/run.mjs apps/kubelet/src/main.ts replay ${file} --all`;
    return error;
  }
}
