import { podUidsOf, type Decision, type JournalEntry } from '@podwright/journal-interface';
import { comparisons, isRest } from './compared-fields.js';
import { endedBefore, overhangOf, fieldsOfMemory, periodOf, stoodBefore, type Beginning } from './told-again.js';

/** A recorded decision and its counterpart in the replay; one of them may be missing. */
export interface DecisionPair {
  /** Pod, lane and part of the lane in which the two have the same place. */
  readonly lane: string;
  readonly recorded: JournalEntry | undefined;
  readonly replayed: JournalEntry | undefined;
  readonly equal: boolean;
  /** True: it needs no counterpart, because the replay began in the middle of a process. */
  readonly beyond?: true;
}

export interface DecisionComparison {
  /** In the order of time, that of the recording where there is one. Each lane ends with its first difference. */
  readonly pairs: readonly DecisionPair[];
  /** The earliest difference. */
  readonly difference: DecisionPair | undefined;
}

const beyond = { equal: true, beyond: true } as const;

export interface ComparisonOptions {
  /** A decision later than this (wall clock) needs no counterpart: the recording, or the replay, ends before it. */
  readonly untilMs?: number;
  /** What stood when the replay began, see {@link beginningOf}; undefined: it began with its process. */
  readonly beginning?: Beginning | undefined;
}

/**
 * Compares what was decided for each pod, lane by lane. Times may differ, and so may the order over lanes and pods. About
 * a pod that stood when the replay began, the replayed kubelet first tells again what the recorded one had told before.
 */
export function compareDecisions(
  recorded: readonly JournalEntry[],
  replayed: readonly JournalEntry[],
  { untilMs = Infinity, beginning }: ComparisonOptions = {},
): DecisionComparison {
  const [before, after] = [laned(recorded), laned(replayed)];
  const lanes = new Set([...before.keys(), ...after.keys()]);
  const pairs = [...lanes].flatMap((lane) => {
    const [ours, theirs] = [before.get(lane) ?? [], after.get(lane) ?? []];
    const first = ours[0] ?? theirs[0];
    const lateMs = periodOf(first, beginning);
    if (!stoodBefore(first, beginning)) return comparedLane(lane, ours, theirs, untilMs - lateMs, isEqual);
    const overhang = overhangOf(ours, theirs, beginning, isEqualButMemory);
    const again = theirs.slice(0, overhang.replayed);
    const isTold = (entry: JournalEntry): boolean =>
      endedBefore(entry, again) && !ours.some(({ kind }) => kind === entry.kind);
    const rest = theirs.slice(overhang.replayed);
    return [
      ...ours.slice(0, overhang.recorded).map((recorded) => ({ ...beyond, lane, recorded, replayed: undefined })),
      ...[...again, ...rest.filter(isTold)].map((replayed) => ({ ...beyond, lane, recorded: undefined, replayed })),
      ...comparedLane(
        lane,
        ours.slice(overhang.recorded),
        rest.filter((entry) => !isTold(entry)),
        untilMs - lateMs,
        isEqualButMemory,
      ),
    ];
  });
  pairs.sort((left, right) => timeOf(left) - timeOf(right));
  return { pairs, difference: pairs.find(({ equal }) => !equal) };
}

/** The fields of a decision that count, for comparing and for showing it. */
export function comparedPart(
  entry: JournalEntry,
  without: ReadonlySet<string> = new Set(),
): Readonly<Record<string, unknown>> {
  const known: readonly string[] = comparisons[entry.kind]?.fields ?? [];
  const fields = known.filter((name) => !without.has(name) && !isRest(entry, name));
  const values = fieldsOf(entry);
  return Object.fromEntries(fields.flatMap((name) => (values[name] === undefined ? [] : [[name, told(values[name])]])));
}

export const timeOf = ({ recorded, replayed }: DecisionPair): number => recorded?.atMs ?? replayed?.atMs ?? 0;

function comparedLane(
  lane: string,
  recorded: readonly JournalEntry[],
  replayed: readonly JournalEntry[],
  untilMs: number,
  equal: typeof isEqual,
): readonly DecisionPair[] {
  const pairs: DecisionPair[] = [];
  for (let index = 0; index < Math.max(recorded.length, replayed.length); index++) {
    const pair = { lane, recorded: recorded[index], replayed: replayed[index] };
    if (equal(pair.recorded, pair.replayed)) pairs.push({ ...pair, equal: true });
    else {
      if (timeOf({ ...pair, equal: false }) <= untilMs) pairs.push({ ...pair, equal: false });
      break;
    }
  }
  return pairs;
}

function isEqual(
  recorded: JournalEntry | undefined,
  replayed: JournalEntry | undefined,
  without: ReadonlySet<string> = new Set(),
): boolean {
  if (recorded === undefined || replayed === undefined || recorded.kind !== replayed.kind) return false;
  const part = (entry: JournalEntry): string => JSON.stringify(comparedPart(withoutSurplus(entry), without));
  return part(recorded) === part(replayed);
}

// Milliseconds decide whether a probe makes one more attempt; beyond the threshold their number changes nothing.
const withoutSurplus = (entry: JournalEntry): JournalEntry =>
  entry.kind === 'probe.result' ? { ...entry, inARow: Math.min(entry.inARow, entry.threshold) } : entry;

const isEqualButMemory: typeof isEqual = (recorded, replayed) => isEqual(recorded, replayed, fieldsOfMemory);

function laned(entries: readonly JournalEntry[]): ReadonlyMap<string, readonly JournalEntry[]> {
  const lanes = new Map<string, JournalEntry[]>();
  for (const entry of entries) {
    const lane = laneOf(entry);
    if (lane === undefined) continue;
    const list = lanes.get(lane);
    if (list === undefined) lanes.set(lane, [entry]);
    else if (entry.kind === 'node.condition') addCondition(list, entry);
    else list.push(entry);
  }
  return lanes;
}

// Whether a condition of the node is reported for a moment depends on when its next report happens to be.
const leastConditionMs = 15_000;

function addCondition(list: JournalEntry[], entry: JournalEntry): void {
  const last = list.at(-1);
  if (last !== undefined && entry.atMs - last.atMs < leastConditionMs) list.pop();
  const before = list.at(-1);
  if (before === undefined || !isEqual(before, entry)) list.push(entry);
}

function laneOf(entry: JournalEntry): string | undefined {
  const comparison = comparisons[entry.kind];
  if (comparison === undefined) return undefined;
  // Nobody wants this pod any more: only files that a kubelet before has left show it, and no recording has files.
  if ('pod' in entry && entry.pod?.name === '') return undefined;
  const values = fieldsOf(entry);
  const parts = ((comparison.by ?? []) as readonly string[]).map((name) => String(values[name]));
  const owner = comparison.lane === 'node' ? 'node' : podUidsOf(entry as Decision).join();
  return [owner, comparison.lane, ...parts].join(' ');
}

const fieldsOf = (entry: JournalEntry): Readonly<Record<string, unknown>> => ({ ...entry });

// Of the objects in a list the identity counts: evicted pods come with their ranking.
function told(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((each: unknown) =>
    typeof each === 'object' && each !== null && 'uid' in each ? (each as { readonly uid: unknown }).uid : each,
  );
}
