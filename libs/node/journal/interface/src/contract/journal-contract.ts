import type { Lifecycle } from '@podwright/assembly-interface';
import { describe, expect, it } from '@podwright/contract';
import type { Decision } from '../decision.js';
import type { Journal, JournalReader } from '../journal.js';
import type { JournalEntry } from '../journal-entry.js';
import type { JournalFilter } from '../journal-filter.js';
import { admitted, contractPod, evicted, leaseFailed, queued } from './contract-decisions.js';

export type WholeJournal = Journal & JournalReader & Lifecycle;

/** A new instance, started, on an empty disk. */
export interface JournalHarness {
  readonly journal: WholeJournal;
  /** Advances the clock. */
  advance(ms: number): Promise<void>;
  /** How many entries of one pod fit into memory for certain, while there are few pods. */
  readonly perPod: number;
  /**
   * Kills the process of the last instance and starts a new one on its disk, which has all that was reported one second
   * before. Absent when the implementation keeps nothing on disk.
   */
  readonly restart?: () => Promise<WholeJournal>;
}

type Keyed = { readonly kind: string; readonly podUid: string };

const brief = (entries: readonly JournalEntry[]): readonly Keyed[] =>
  entries.map((entry) => ({ kind: entry.kind, podUid: 'pod' in entry ? (entry.pod?.uid ?? '') : '' }));

/** Without the entries that the journal reports itself. */
const reported = (entries: readonly JournalEntry[]): readonly JournalEntry[] =>
  entries.filter(({ kind }) => !kind.startsWith('journal.'));

async function all(journal: JournalReader, filter?: JournalFilter): Promise<readonly JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for await (const entry of journal.stored(filter)) entries.push(entry);
  return reported(entries);
}

const of = (name: string, kind: string): Keyed => ({ kind, podUid: contractPod(name).uid });

/** Every implementation of {@link Journal} and {@link JournalReader} passes this suite; `create`: one per case. */
export function describeJournalContract(name: string, create: () => Promise<JournalHarness>): void {
  describe(`${name} as a Journal`, () => {
    it('numbers and times what is reported, and keeps its order', async () => {
      const { journal, advance } = await create();
      journal.report(admitted('a'));
      journal.report(queued('a'));
      await advance(5_000);
      journal.report(leaseFailed);
      const entries = reported(journal.recent());
      expect(brief(entries)).toEqual([
        of('a', 'pod.admitted'),
        of('a', 'pod.queued'),
        { kind: 'lease.failed', podUid: '' },
      ]);
      const [first, second, third] = entries;
      expect(Number(second?.seq) > Number(first?.seq) && Number(third?.seq) > Number(second?.seq)).toBe(true);
      expect([Number(second?.atMs) - Number(first?.atMs), Number(third?.atMs) - Number(second?.atMs)]).toEqual([
        0, 5_000,
      ]);
      await journal.stop();
    });

    it('finds entries by pod, kind, time and number, in memory and on disk alike', async () => {
      const { journal, advance } = await create();
      journal.report(admitted('a'));
      journal.report(admitted('b'));
      await advance(2_000);
      journal.report(queued('a'));
      journal.report(evicted('b', 'c'));
      const [, second, third] = reported(journal.recent());
      const wanted: readonly (readonly [JournalFilter, readonly string[]])[] = [
        [{ podUid: contractPod('a').uid }, ['pod.admitted', 'pod.queued']],
        [{ podUid: contractPod('c').uid }, ['eviction']],
        [{ kinds: ['pod.admitted', 'eviction'] }, ['pod.admitted', 'pod.admitted', 'eviction']],
        [{ podUid: contractPod('b').uid, kinds: ['pod.admitted'] }, ['pod.admitted']],
        [{ sinceMs: third?.atMs ?? 0 }, ['pod.queued', 'eviction']],
        [{ untilMs: third?.atMs ?? 0 }, ['pod.admitted', 'pod.admitted']],
        [{ afterSeq: second?.seq ?? 0 }, ['pod.queued', 'eviction']],
        [{ podUid: 'nobody' }, []],
      ];
      const kindsOf = (entries: readonly JournalEntry[]): readonly string[] =>
        reported(entries).map(({ kind }) => kind);
      for (const [filter, expected] of wanted) {
        expect(kindsOf(journal.recent(filter))).toEqual(expected);
        expect(kindsOf(await all(journal, filter))).toEqual(expected);
      }
      await journal.stop();
    });

    it('never throws and loses only a decision that is no JSON', async () => {
      const { journal } = await create();
      const cyclic: { self?: unknown } = {};
      cyclic.self = cyclic;
      for (const bad of [
        { ...leaseFailed, error: cyclic },
        { ...leaseFailed, error: 1n },
      ])
        expect(() => journal.report(bad as unknown as Decision)).not.toThrow();
      journal.report(queued('a'));
      expect(brief(reported(journal.recent()))).toEqual([of('a', 'pod.queued')]);
      await journal.stop();
      expect(() => journal.report(queued('late'))).not.toThrow();
    });

    it('cuts what is very large, and says so', async () => {
      const { journal } = await create();
      journal.report({ ...leaseFailed, error: 'x'.repeat(5_000_000) });
      const [entry] = reported(journal.recent());
      expect(entry).toMatchObject({ kind: 'lease.failed', cut: true });
      expect(JSON.stringify(entry).length).toBeLessThan(1_000_000);
      await journal.stop();
    });

    it('tells followers what they want, in order, until they unsubscribe', async () => {
      const { journal } = await create();
      const seen: string[] = [];
      journal.follow(() => {
        throw new Error('a listener that fails');
      });
      const unsubscribe = journal.follow(({ kind, pod }) => seen.push(`${kind} ${pod.name}`), {
        kinds: ['pod.admitted', 'pod.queued'],
      });
      journal.report(admitted('a'));
      journal.report(leaseFailed);
      journal.report(queued('b'));
      unsubscribe();
      unsubscribe();
      journal.report(queued('c'));
      expect(seen).toEqual(['pod.admitted a', 'pod.queued b']);
      await journal.stop();
    });

    it('keeps the last entries of each pod, whatever another pod reports', async () => {
      const { journal, perPod } = await create();
      for (let nth = 0; nth < perPod; nth++) journal.report(admitted('quiet', nth));
      for (let nth = 0; nth < 50 * perPod; nth++) journal.report(admitted('noisy', nth));
      const quiet = journal.recent({ podUid: contractPod('quiet').uid, kinds: ['pod.admitted'] });
      expect(quiet.map(({ durationMs }) => durationMs)).toEqual(Array.from({ length: perPod }, (_, nth) => nth));
      const noisy = journal.recent({ podUid: contractPod('noisy').uid, kinds: ['pod.admitted'] });
      expect(noisy.at(-1)?.durationMs).toBe(50 * perPod - 1);
      expect(noisy.length).toBeLessThan(50 * perPod);
      await journal.stop();
    });

    it('reads back what earlier processes reported, before what this one did', async () => {
      const { journal, advance, restart } = await create();
      journal.report(admitted('a'));
      journal.report(queued('a'));
      await advance(2_000);
      if (restart === undefined) return;
      const second = await restart();
      second.report(leaseFailed);
      expect((await all(second)).map(({ kind }) => kind)).toEqual(['pod.admitted', 'pod.queued', 'lease.failed']);
      expect(second.recent({ podUid: contractPod('a').uid })).toEqual([]);
      await second.stop();
    });

    it('can be stopped twice, and what was reported before is on disk', async () => {
      const { journal, restart } = await create();
      journal.report(admitted('a'));
      await Promise.all([journal.stop(), journal.stop()]);
      if (restart === undefined) return;
      const second = await restart();
      expect(brief(await all(second))).toEqual([of('a', 'pod.admitted')]);
      await second.stop();
    });
  });
}
