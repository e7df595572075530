import {
  comparedPart,
  timeOf,
  type DecisionComparison,
  type DecisionPair,
  type Recording,
  type Unanswered,
} from '@podwright/flight-recorder';
import { podUidsOf, type JournalEntry, type JournalPod } from '@podwright/journal-interface';

const widest = 58;
// So many decisions of the same pod before a difference show how it came about.
const mostBefore = 8;
const mostQuestions = 8;

/** All decisions side by side. */
export function printPairs(pairs: readonly DecisionPair[], { header }: Recording): string {
  const rows = pairs.map((pair) => {
    const { recorded, replayed, equal } = pair;
    return [
      pair.beyond === true ? '+' : equal ? '=' : '!',
      `+${((timeOf(pair) - header.startedAtMs) / 1_000).toFixed(3)}s`,
      ownerOf(pair),
      equal ? told(recorded) : toldBeside(recorded, replayed),
      equal ? (pair.beyond === true ? told(replayed) : '=') : toldBeside(replayed, recorded),
    ];
  });
  const table = [['', 'at', 'pod', 'recorded', 'replayed'], ...rows];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.min(widest, Math.max(...table.map((row) => row[column]?.length ?? 0))),
  );
  return table
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** The first difference with what came before it, and what the recording could not answer. */
export function printDifference(
  { pairs }: DecisionComparison,
  difference: DecisionPair,
  unanswered: readonly Unanswered[],
  recording: Recording,
): string {
  const owner = ownerOf(difference);
  const before = pairs.filter((pair) => pair.equal && ownerOf(pair) === owner && timeOf(pair) <= timeOf(difference));
  const at = timeOf(difference) - recording.header.startedAtMs;
  const questions = unanswered.filter(({ atMs }) => atMs <= at + 1_000);
  return [
    `the first difference: ${owner}, ${new Date(timeOf(difference)).toISOString()}\n\n`,
    printPairs([...before.slice(-mostBefore), difference], recording),
    ...(questions.length === 0
      ? []
      : ['\nup to then the replayed kubelet asked what the recording has no answer to:\n']),
    ...questions
      .slice(-mostQuestions)
      .map(({ seam, method, key, atMs }) => `  +${(atMs / 1_000).toFixed(3)}s  ${seam} ${method} ${key}\n`),
  ].join('');
}

function ownerOf({ recorded, replayed }: DecisionPair): string {
  const entry = recorded ?? replayed;
  if (entry === undefined) return 'node';
  const pod = 'pod' in entry ? (entry.pod as JournalPod | undefined) : undefined;
  if (pod !== undefined) return `${pod.namespace}/${pod.name}`;
  return podUidsOf(entry)[0] ?? 'node';
}

function told(entry: JournalEntry | undefined): string {
  return entry === undefined ? '(nothing)' : lineOf(entry.kind, factsOf(comparedPart(entry)));
}

/** Shortens what both have in common; the fields that differ come last. Without a counterpart of its kind all do. */
function toldBeside(entry: JournalEntry | undefined, counterpart: JournalEntry | undefined): string {
  if (entry === undefined) return '(nothing)';
  const own = comparedPart(entry);
  const other = counterpart?.kind === entry.kind ? comparedPart(counterpart) : {};
  const isCommon = (name: string): boolean => JSON.stringify(own[name]) === JSON.stringify(other[name]);
  const names = [...new Set([...Object.keys(own), ...Object.keys(other)])];
  const differing = names.filter((name) => !isCommon(name));
  return [lineOf(entry.kind, factsOf(own, names.filter(isCommon))), ...factsOf(own, differing)].join(' ');
}

const factsOf = (values: Readonly<Record<string, unknown>>, names = Object.keys(values)): readonly string[] =>
  names.map((name) => `${name}=${shown(values[name])}`);

function lineOf(kind: string, facts: readonly string[]): string {
  const line = [kind, ...facts].join(' ');
  return line.length > widest ? `${line.slice(0, widest - 3)}...` : line;
}

// Ids of containers are long, and their beginning is enough.
function shown(value: unknown): string {
  if (value === undefined) return 'none';
  if (Array.isArray(value)) return `[${value.map(shown).join(',')}]`;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[0-9a-f]{64}$/.test(text) ? text.slice(0, 12) : text;
}
