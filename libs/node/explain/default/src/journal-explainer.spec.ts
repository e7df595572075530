import { expect, it } from '@jest/globals';
import type { JournalReader } from '@podwright/journal-interface';
import { createHarness } from './fixtures/contract-harness.js';
import { MemoryJournal } from './fixtures/memory-journal.js';
import { VirtualClock } from '@podwright/time';

it('reads no disk when it is asked to explain from memory', async () => {
  const journal = new MemoryJournal(new VirtualClock());
  let reads = 0;
  const stored: JournalReader['stored'] = (filter) => {
    reads++;
    return journal.stored(filter);
  };
  const { explainer, have } = await createHarness({
    report: (entry) => journal.report(entry),
    recent: (filter) => journal.recent(filter),
    stored,
  });
  have({ uid: 'uid-web', namespace: 'default', name: 'web' });
  await explainer.explainPod('default', 'web', { fromMemory: true });
  expect(await explainer.explainPod('default', 'gone', { fromMemory: true })).toMatchObject({ known: 'unknown' });
  await explainer.explainNode(undefined, { fromMemory: true });
  expect(reads).toBe(0);
  await explainer.explainPod('default', 'web');
  await explainer.explainPod('default', 'gone');
  await explainer.explainNode();
  expect(reads).toBe(3);
});
