import path from 'node:path';
import { createSegmentJournal } from '@podwright/journal';
import type { DecisionKind, JournalEntry, JournalFilter } from '@podwright/journal-interface';
import { createMemoryLogger } from '@podwright/logging';
import { createSystemClock } from '@podwright/time';
import type { TestNode } from './test-node.js';

/** What the kubelets of a node have written to their journal, oldest first; none of them needs to run. */
export async function storedJournal<K extends DecisionKind>(
  node: TestNode,
  filter: JournalFilter<K>,
): Promise<readonly JournalEntry<K>[]> {
  const deps = { clock: createSystemClock(), logger: createMemoryLogger() };
  // Reads only: it is never started.
  const journal = createSegmentJournal(deps, { rootDir: path.join(node.dir, 'root') });
  const entries: JournalEntry<K>[] = [];
  for await (const entry of journal.stored(filter)) entries.push(entry);
  return entries;
}
