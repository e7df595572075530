import type { RecordingLine } from '@podwright/flight-recorder-interface';
import { podUidsOf, type JournalEntry } from '@podwright/journal-interface';
import { podUid, type Pod } from '@podwright/kube-types';
import { isSnapshot } from '../read/join-segments.js';

/** What stood when a replay began in the middle of a process. */
export interface Beginning {
  /** Wall clock, Unix milliseconds. */
  readonly atMs: number;
  readonly podUids: ReadonlySet<string>;
}

/**
 * Fields that depend on what only the memory of the recorded process had: how often a container had crashed in a row and
 * a probe had given the same answer.
 */
export const fieldsOfMemory: ReadonlySet<string> = new Set(['inARow']);

// A kubelet that starts has synced each pod once, and a probe has failed thrice.
const settlingMs = 60_000;

// What came in just before the beginning is decided just after it.
const underwayMs = 2_000;

// A dead container goes when the loop hears of its exit and its pod has ended by then, else at the next pass of the
// garbage collection: milliseconds decide which of the two.
const containersPeriodMs = 60_000;
// The passes come at other minutes of a process that starts later.
const imagesPeriodMs = 300_000;

/** So much later than in the recorded kubelet a decision of garbage collection may come. */
export function periodOf(entry: JournalEntry | undefined, beginning: Beginning | undefined): number {
  if (entry?.kind === 'container.removed') return containersPeriodMs;
  return entry?.kind === 'image.removed' && beginning !== undefined ? imagesPeriodMs : 0;
}

/** Undefined: the recording begins with its process. */
export function beginningOf(lines: readonly RecordingLine[], startedAtMs: number): Beginning | undefined {
  const snapshot = lines.filter(isSnapshot);
  return snapshot.length === 0 ? undefined : { atMs: startedAtMs, podUids: new Set(snapshot.flatMap(podUidsIn)) };
}

function podUidsIn(line: RecordingLine): readonly string[] {
  if (line.t === 'pods') return line.pods.map(podUid);
  if (line.t === 'item') return uidsInEvents(line.answer);
  if (line.t !== 'call' || line.method !== 'listPodSandbox') return [];
  const { items = [] } = (line.answer ?? {}) as { readonly items?: readonly { readonly metadata?: Named }[] };
  return items.flatMap(({ metadata }) => (metadata?.uid === undefined ? [] : [metadata.uid]));
}

interface Named {
  readonly uid?: string;
}

/** Of a body of the API server: a watch with an event a line, or a list. Other objects than pods do no harm. */
function uidsInEvents(body: unknown): readonly string[] {
  if (typeof body !== 'string') return [];
  return body.split('\n').flatMap((text) => {
    if (text === '') return [];
    const { object, items } = JSON.parse(text) as { readonly object?: Pod; readonly items?: readonly Pod[] };
    return [...(object === undefined ? [] : [object]), ...(items ?? [])].flatMap(({ metadata }) =>
      metadata?.uid === undefined ? [] : [podUid({ metadata } as Pod)],
    );
  });
}

/** True: the recorded process may have told of it before the recording begins. */
export function stoodBefore(entry: JournalEntry | undefined, beginning: Beginning | undefined): beginning is Beginning {
  if (entry === undefined || beginning === undefined) return false;
  return entry.kind === 'node.condition' || podUidsOf(entry).some((uid) => beginning.podUids.has(uid));
}

/** How many decisions at the beginning of a lane have no counterpart. */
interface Overhang {
  readonly recorded: number;
  readonly replayed: number;
}

/**
 * The replayed kubelet tells again what the recorded one had told before the beginning, and it learns in another way what
 * the recorded one was just about to decide. As few of both as make most decisions equal.
 */
export function overhangOf(
  recorded: readonly JournalEntry[],
  replayed: readonly JournalEntry[],
  { atMs }: Beginning,
  isEqual: (recorded: JournalEntry, replayed: JournalEntry) => boolean,
): Overhang {
  const [underway, again] = [countUntil(recorded, atMs + underwayMs), countUntil(replayed, atMs + settlingMs)];
  let best: Overhang = { recorded: 0, replayed: again };
  let leastUnequal = Infinity;
  for (let left = 0; left <= underway; left++) {
    for (let told = again; told >= 0; told--) {
      const equal = countEqual(recorded.slice(left), replayed.slice(told), isEqual);
      const unequal = recorded.length - left - equal;
      if (unequal >= leastUnequal) continue;
      leastUnequal = unequal;
      best = { recorded: left, replayed: told };
    }
    if (leastUnequal === 0) break;
  }
  return best;
}

/**
 * True: the decision is the end of a pod that had completed before the beginning. The recorded kubelet had told of it then;
 * the replayed one tells of it when it next looks, which may be after the pod is gone from its source.
 */
export function endedBefore(entry: JournalEntry, told: readonly JournalEntry[]): boolean {
  return entry.kind === 'pod.ended' && told.some((each) => each.kind === 'pod.ending' && each.cause === 'completed');
}

function countUntil(entries: readonly JournalEntry[], atMs: number): number {
  const later = entries.findIndex((entry) => entry.atMs > atMs);
  return later === -1 ? entries.length : later;
}

function countEqual(
  recorded: readonly JournalEntry[],
  replayed: readonly JournalEntry[],
  isEqual: (recorded: JournalEntry, replayed: JournalEntry) => boolean,
): number {
  const differs = recorded.findIndex((entry, index) => {
    const counterpart = replayed[index];
    return counterpart === undefined || !isEqual(entry, counterpart);
  });
  return differs === -1 ? recorded.length : differs;
}
