import { appendFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { DecisionOf, JournalEntry, JournalReader } from '@podwright/journal-interface';
import { describeJournalContract } from '@podwright/journal-interface/contract';
import { createHarness, stateDirectory } from './fixtures/contract-harness.js';
import { waterLevel } from './memory/water-level.js';

describeJournalContract('SegmentJournal', createHarness);

const queued = (name: string): DecisionOf<'pod.queued'> => ({
  kind: 'pod.queued',
  pod: { uid: `uid-${name}`, namespace: 'default', name },
  update: 'update',
});
const failed = (error: string): DecisionOf<'lease.failed'> => ({ kind: 'lease.failed', error });

async function errors(journal: JournalReader): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { error } of journal.stored({ kinds: ['lease.failed'] })) found.push(error);
  return found;
}

async function lost(journal: JournalReader): Promise<readonly JournalEntry<'journal.lost'>[]> {
  const found: JournalEntry<'journal.lost'>[] = [];
  for await (const entry of journal.stored({ kinds: ['journal.lost'] })) found.push(entry);
  return found;
}

describe('the segments of a SegmentJournal', () => {
  it('reads up to what a kill has torn, and leaves out what is no entry', async () => {
    const { directory, clock, open } = await stateDirectory();
    const first = await open();
    first.report(failed('before'));
    await clock.advance(1_000);
    const [name = ''] = await readdir(directory);
    await appendFile(
      path.join(directory, name),
      'null\n{"kind":"lease.failed"}\nno json "kind":"lease.failed"\n{"kind":"lea',
    );
    const second = await open();
    second.report(failed('after'));
    await clock.advance(1_000);
    expect(await errors(second)).toEqual(['before', 'after']);
    expect((await stat(path.join(directory, name))).mode & 0o777).toBe(0o600);
    await second.stop();
  });

  it('removes the oldest segments, and numbers grow over processes', async () => {
    const { directory, clock, open } = await stateDirectory();
    const options = { segmentBytes: 1024, maxDiskBytes: 4 * 1024 };
    for (let process = 0; process < 8; process++) {
      const journal = await open(options);
      for (let nth = 0; nth < 5; nth++) {
        journal.report(failed(`${process}.${nth} ${'x'.repeat(300)}`));
        await clock.advance(1_000);
      }
      await journal.stop();
    }
    const files = await readdir(directory);
    const sizes = await Promise.all(files.map(async (file) => (await stat(path.join(directory, file))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(4 * 1024);
    const left = (await errors(await open(options))).map((error) => error.split(' ')[0]);
    expect(left.at(-1)).toBe('7.4');
    expect(left).not.toContain('0.0');
    expect([...left].sort()).toEqual(left);
  });

  it('keeps what the disk does not take, says so once, and writes it later', async () => {
    const { directory, clock, logger, open } = await stateDirectory();
    // A file in the place of the directory: not even root can write below it.
    await writeFile(directory, '');
    const journal = await open();
    journal.report(failed('early'));
    await clock.advance(5 * 60_000);
    journal.report(failed('late'));
    await clock.advance(500);
    expect(logger.messages('error')).toHaveLength(1);
    expect(journal.recent({ kinds: ['lease.failed'] }).map(({ error }) => error)).toEqual(['early', 'late']);
    expect(await errors(journal)).toEqual(['early', 'late']);
    await rm(directory);
    await clock.advance(60_000);
    expect(logger.messages('info').at(-1)).toBe('The journal is written to disk again');
    expect(await errors(journal)).toEqual(['early', 'late']);
    expect([await lost(journal), await readdir(directory)]).toEqual([[], ['0000000001.jsonl']]);
    await journal.stop();
    expect(await errors(await open())).toEqual(['early', 'late']);
  });

  it('counts what did not fit into the buffer while the disk took nothing', async () => {
    const { directory, clock, open } = await stateDirectory();
    await writeFile(directory, '');
    const journal = await open({ bufferBytes: 2_000 });
    for (let nth = 0; nth < 30; nth++) {
      journal.report(failed(`${nth} ${'x'.repeat(100)}`));
      await clock.advance(1_000);
    }
    await rm(directory);
    await clock.advance(61_000);
    const [gap] = await lost(journal);
    expect(gap).toMatchObject({ cause: 'disk', error: expect.stringContaining('ENOTDIR') });
    await journal.stop();
    expect(await errors(await open())).toHaveLength(30 - Number(gap?.entries));
  });

  it('counts what does not fit into the buffer, and keeps it in memory', async () => {
    const { clock, open } = await stateDirectory();
    const journal = await open({ bufferBytes: 2_000 });
    for (let nth = 0; nth < 30; nth++) journal.report(failed(`${nth} ${'x'.repeat(100)}`));
    expect(journal.recent({ kinds: ['lease.failed'] })).toHaveLength(30);
    expect(await errors(journal)).toHaveLength(30);
    await clock.advance(1_000);
    const [gap] = await lost(journal);
    await journal.stop();
    expect(clock.pendingTimers).toBe(0);
    expect(gap?.cause).toBe('buffer');
    expect(await errors(await open())).toHaveLength(30 - Number(gap?.entries));
  });

  it('keeps nothing on disk when it may not, and reads memory all the same', async () => {
    const { directory, clock, open } = await stateDirectory();
    const journal = await open({ maxDiskBytes: 0 });
    journal.report(failed('only'));
    expect(clock.pendingTimers).toBe(0);
    expect(await errors(journal)).toEqual(['only']);
    await journal.stop();
    await expect(readdir(directory)).rejects.toThrow('ENOENT');
  });
});

describe('the memory of a SegmentJournal', () => {
  it('stays within its entries and bytes, and forgets the pods that were quiet for longest', async () => {
    const { open } = await stateDirectory();
    const journal = await open({ maxDiskBytes: 0, maxEntries: 400, maxMemoryBytes: 20_000 });
    for (let nth = 0; nth < 1_000; nth++) journal.report(queued(`pod-${nth}`));
    for (let nth = 0; nth < 300; nth++) journal.report(queued('noisy'));
    const kept = journal.recent();
    expect(kept.length).toBeLessThanOrEqual(400);
    expect(kept.reduce((sum, entry) => sum + JSON.stringify(entry).length, 0)).toBeLessThanOrEqual(20_000);
    expect(journal.recent({ podUid: 'uid-pod-999' })).toHaveLength(1);
    expect(journal.recent({ podUid: 'uid-pod-0' })).toHaveLength(0);
  });

  it('shares what is left equally among those that have most', () => {
    expect(waterLevel([1, 2, 100, 50], 43)).toBe(20);
    expect(waterLevel([1, 2], 3)).toBe(Infinity);
  });
});
