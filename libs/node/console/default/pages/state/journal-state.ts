import { signal } from '@preact/signals';
import type { JournalEntry } from '@podwright/journal-interface';

/** More would make the page slow; older ones are loaded when they are asked for. */
const mostEntries = 1000;

/** The latest entries, newest first. */
export const entries = signal<readonly JournalEntry[]>([]);
/** How many came too fast to be sent, since the connection. */
export const droppedEntries = signal(0);

export function takeEntries(
  told: readonly JournalEntry[],
  { anew = false, dropped = 0 }: { readonly anew?: boolean; readonly dropped?: number },
): void {
  const newest = told.toReversed();
  entries.value = anew ? newest : [...newest, ...entries.value].slice(0, mostEntries);
  droppedEntries.value = anew ? 0 : droppedEntries.value + dropped;
}
