import { EXPLAINER } from '@podwright/explain-interface';
import { printNode, printPod } from '@podwright/explain';
import {
  beginningOf,
  compareDecisions,
  readRecording,
  type DecisionComparison,
  type Recording,
} from '@podwright/flight-recorder';
import type { RecordedDecision } from '@podwright/flight-recorder-interface';
import type { JournalEntry } from '@podwright/journal-interface';
import { KubeletError } from '@podwright/errors';
import { createMemoryLogger } from '@podwright/logging';
import { createSystemClock } from '@podwright/time';
import type { KubeletProgram } from '../kubelet-program.js';
import { printDifference, printPairs } from './print-comparison.js';
import { replayedAssembly } from './replayed-assembly.js';
import { readReplayArguments, replayUsage, type ReplayArguments } from './replay-arguments.js';
import { startReplayedKubelet, type ReplayedKubelet } from './replayed-kubelet.js';

// How far the replay runs beyond a moment before what is missing at it counts as a difference.
const graceMs = 10_000;
const sliceMs = 1_000;
// What the recorded kubelet had just begun when it was killed has no counterpart.
const tailMs = 2_000;

/** Runs a program's `replay ...`. Resolves with the exit code: 1 when a decision differs, or nobody knows the pod. */
export async function runReplayCommand(argv: readonly string[], program: KubeletProgram): Promise<number> {
  const given = readReplayArguments(argv);
  if (given === undefined) {
    process.stdout.write(`${replayUsage(program.program)}\n`);
    return 0;
  }
  const recording = await readRecording(given.file);
  process.stdout.write(`${aboutRecording(recording)}\n`);
  const recorded = recording.header.facts?.program ?? program.program;
  if (recorded !== program.program)
    process.stdout.write(`warning: this is ${program.program}, so the replay may go astray: use ${recorded} replay\n`);
  for (const warning of replayedAssembly(recording.header.facts ?? {}).warnings)
    process.stdout.write(`warning: the replay ${warning}, so it may go astray\n`);
  const clock = createSystemClock();
  const startedAt = clock.monotonic();
  const kubelet = await startReplayedKubelet(recording, {
    program,
    logger: createMemoryLogger(0),
    configuration: given.set,
  });
  try {
    const untilMs = momentOf(given, recording, kubelet.world.endMs);
    if (given.explain !== undefined) {
      await kubelet.runTo(untilMs);
      const { page, isKnown } = await explained(kubelet, given.explain);
      process.stdout.write(page);
      if (recording.header.at !== undefined) process.stdout.write(beginningNote(untilMs));
      return isKnown ? 0 : 1;
    }
    const { comparison, ranMs } = await compared(kubelet, recording, untilMs);
    const tookSeconds = ((clock.monotonic() - startedAt) / 1_000).toFixed(1);
    process.stdout.write(`replayed ${(ranMs / 1_000).toFixed(1)} s in ${tookSeconds} s\n`);
    return report(comparison, kubelet, recording, given);
  } finally {
    await kubelet.dispose();
  }
}

function report(
  comparison: DecisionComparison,
  kubelet: ReplayedKubelet,
  recording: Recording,
  { all }: ReplayArguments,
): number {
  const { pairs, difference } = comparison;
  if (all) process.stdout.write(`\n${printPairs(pairs, recording)}\n`);
  const pods = new Set(
    pairs.flatMap(({ recorded }) => (recorded !== undefined && 'pod' in recorded ? [recorded.pod?.uid] : [])),
  );
  const again = pairs.filter((pair) => pair.beyond === true).length;
  const count = `${pairs.filter(({ equal }) => equal).length - again} decisions about ${pods.size} ${pods.size === 1 ? 'pod' : 'pods'}`;
  if (difference === undefined) {
    const none =
      recording.header.at !== undefined || recording.lines.some(({ t }) => t === 'decision')
        ? ''
        : ' (the recording has none: its kubelet had no journal)';
    const told = again === 0 ? '' : ` (${again} more are about what was there at the beginning)`;
    process.stdout.write(`${count}: no difference${none}${told}\n`);
    return 0;
  }
  process.stdout.write(
    `${count} are equal; ${printDifference(comparison, difference, kubelet.world.unanswered, recording)}`,
  );
  return 1;
}

/** Runs to the end, or until a difference is certain. */
async function compared(
  kubelet: ReplayedKubelet,
  recording: Recording,
  untilMs: number,
): Promise<{ readonly comparison: DecisionComparison; readonly ranMs: number }> {
  const { startedAtMs } = recording.header;
  const recorded = recording.lines
    .filter((line): line is RecordedDecision => line.t === 'decision' && line.at <= untilMs)
    .map(({ entry }) => entry);
  const beginning = beginningOf(recording.lines, startedAtMs);
  for (let ranMs = 0; ranMs < untilMs;) {
    ranMs = Math.min(ranMs + sliceMs, untilMs);
    await kubelet.runTo(ranMs);
    if (ranMs < graceMs || Math.floor(ranMs / sliceMs) % 10 !== 0) continue;
    const certain = { untilMs: startedAtMs + ranMs - graceMs, beginning };
    const comparison = compareDecisions(before(recorded, ranMs + startedAtMs), kubelet.decisions, certain);
    if (comparison.difference !== undefined) return { comparison, ranMs };
  }
  const whole = { untilMs: startedAtMs + untilMs - tailMs, beginning };
  const comparison = compareDecisions(recorded, kubelet.decisions, whole);
  return { comparison, ranMs: untilMs };
}

const before = (entries: readonly JournalEntry[], atMs: number): readonly JournalEntry[] =>
  entries.filter((entry) => entry.atMs <= atMs);

function aboutRecording({ header, lines, torn }: Recording): string {
  const { facts, startedAtMs } = header;
  const node = String(facts?.machine['nodeName'] ?? 'unknown');
  const lastMs = Math.max(0, lines.at(-1)?.at ?? 0);
  const gaps = lines.flatMap((line) => (line.t === 'gap' ? [line.cause] : []));
  const last = lines.at(-1);
  const end =
    last?.t === 'end'
      ? last.cause === 'asked'
        ? 'as long as was asked for'
        : 'until it stopped'
      : gaps.includes('full')
        ? 'until the recording was full'
        : torn
          ? 'where the recording breaks off amid a line: the kubelet was killed, or the recording was cut short'
          : 'where the recording ends: the kubelet went on, or was killed';
  const begins = header.at === undefined ? '' : `${(header.at / 1_000).toFixed(1)} s after its start, `;
  const losses = gaps.some((cause) => cause !== 'full')
    ? '\nwarning: lines are missing in it, so the replay may go astray'
    : '';
  return `recording of ${facts?.program ?? 'a kubelet'} ${facts?.version ?? ''} on node ${node}: ${new Date(startedAtMs).toISOString()}, ${begins}${(lastMs / 1_000).toFixed(1)} s, ${end}${losses}`;
}

/** A snapshot has the world, not the memory of the recorded kubelet. */
const beginningNote = (forMs: number): string =>
  `\nThe recording begins ${(forMs / 1_000).toFixed(1)} s before this moment. What had failed before it is not known here.\n`;

/** In the recording's time. Nothing is known of a moment before the recording; after it, its end is the best answer. */
function momentOf({ until }: ReplayArguments, { header }: Recording, endMs: number): number {
  if (until === undefined) return endMs;
  const atMs = until.from === 'start' ? until.atMs : until.atMs - header.startedAtMs;
  if (atMs < 0) {
    const begins = new Date(header.startedAtMs).toISOString();
    throw new KubeletError(`bad --until ${until.text}: the recording begins at ${begins}`, {
      code: 'invalid-argument',
    });
  }
  if (atMs <= endMs) return atMs;
  const ends = `+${(endMs / 1_000).toFixed(3)}s`;
  process.stderr.write(`warning: the recording ends at ${ends}, before --until ${until.text}: this is as of its end\n`);
  return endMs;
}

async function explained(
  { assembly, finish }: ReplayedKubelet,
  question: NonNullable<ReplayArguments['explain']>,
): Promise<{ readonly page: string; readonly isKnown: boolean }> {
  const explainer = assembly.get(EXPLAINER);
  if (question === 'node') return { page: printNode(await finish(explainer.explainNode())), isKnown: true };
  const [namespace = '', name = ''] = question.pod.split('/');
  const explanation = await finish(explainer.explainPod(namespace, name));
  return { page: printPod(explanation), isKnown: explanation.situation !== 'unknown' };
}
