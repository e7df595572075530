import type { JournalEntry } from '@podwright/journal-interface';
import type { PodQuestion } from '../pod-question.js';

/** A runtime needs a second or a few, on a busy machine; upstream's own objective for the start of a pod is 5 s. */
const patienceMs = 20_000;

/** True when so long nothing of what came before has moved on, that whoever is at it may hang. */
export function isOverdue({ nowMs }: PodQuestion, ...progress: readonly (JournalEntry | undefined)[]): boolean {
  const times = progress.flatMap((entry) => entry?.atMs ?? []);
  return times.length > 0 && nowMs - Math.max(...times) >= patienceMs;
}
