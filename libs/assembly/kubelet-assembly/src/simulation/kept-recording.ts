import { writeFile } from 'node:fs/promises';
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
// A case may start hundreds of nodes; what it asserts is about the last ones.
const mostEnded = 2;

// Where the environment of the specs (tools/test/recording-environment.mjs) looks for them; absent in other ones.
const recordedNodes = Symbol.for('podwright.recorded-nodes');

/** The recording of a simulated kubelet, in memory until its case fails; the error of the case then names it. */
export class KeptRecording {
  readonly program = 'node tools/bootstrap/run.mjs apps/kubelet/src/main.ts';
  /** Set when no later case uses the node. */
  ended = false;
  private readonly lines: string[] = [];
  private characters = 0;

  constructor(readonly name: string) {
    const nodes = (globalThis as Partial<Record<symbol, Set<KeptRecording>>>)[recordedNodes];
    const ended = [...(nodes ?? [])].filter((node) => node.ended);
    for (const node of ended.slice(0, -mostEnded)) nodes?.delete(node);
    nodes?.add(this);
  }

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
        const tape = new RecordingTape(clock, (line) => this.take(line), facts);
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

  /** Writes it below `dir`; resolves with the file for `replay`, undefined when nothing is recorded. */
  async keep(dir: string): Promise<string | undefined> {
    const last = this.lines.at(-1);
    if (last === undefined) return undefined;
    const { at = 0 } = JSON.parse(last) as Partial<RecordingGap>;
    const gap: RecordingGap = { t: 'gap', at, cause: 'full', lines: 0 };
    const lines = this.characters > mostCharacters ? [...this.lines, JSON.stringify(gap)] : this.lines;
    const file = path.join(dir, 'recording.jsonl');
    await writeFile(file, lines.map((line) => `${line}\n`).join(''));
    return file;
  }
}
