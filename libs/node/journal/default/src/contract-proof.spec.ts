import { breaks, breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import type { Journal, JournalEntry, JournalFilter, JournalReader } from '@podwright/journal-interface';
import { describeJournalContract, type JournalHarness, type WholeJournal } from '@podwright/journal-interface/contract';
import { createHarness } from './fixtures/contract-harness.js';

type Broken = (good: JournalHarness) => Partial<JournalHarness>;

const broken = (replaced: (good: WholeJournal) => Partial<WholeJournal>): Broken => breaksIn('journal', replaced);
const without = (...names: readonly (keyof JournalFilter)[]): Broken =>
  broken((good) => ({
    recent: ((filter: JournalFilter = {}) =>
      good.recent(
        Object.fromEntries(Object.entries(filter).filter(([name]) => !names.includes(name as keyof JournalFilter))),
      )) as JournalReader['recent'],
  }));
const seen = (change: (entries: readonly JournalEntry[]) => readonly JournalEntry[]): Broken =>
  broken((good) => ({
    recent: ((filter?: JournalFilter) => change(good.recent(filter))) as JournalReader['recent'],
  }));
const read = (change: (entries: readonly JournalEntry[]) => readonly JournalEntry[]): Broken =>
  broken((good) => ({ stored: changed(good, change) }));
const restarted =
  (replaced: (good: WholeJournal) => Partial<WholeJournal>): Broken =>
  ({ restart }) => ({
    ...(restart && {
      restart: async () => {
        const next = await restart();
        return breaks(next, replaced(next));
      },
    }),
  });
const changed = (
  good: JournalReader,
  change: (entries: readonly JournalEntry[]) => readonly JournalEntry[],
): JournalReader['stored'] =>
  async function* (filter?: JournalFilter) {
    const entries: JournalEntry[] = [];
    for await (const entry of good.stored(filter)) entries.push(entry);
    yield* change(entries);
  } as JournalReader['stored'];
const refusing = (report: Journal['report']): Broken => broken(() => ({ report }));

describeContractProof('Journal', (create) => describeJournalContract('a broken Journal', create), createHarness, {
  'numbers and times what is reported, and keeps its order': {
    'nothing is kept': refusing(() => undefined),
    'all have one number': seen((entries) => entries.map((entry) => ({ ...entry, seq: 1 }))),
    'all have one time': seen((entries) => entries.map((entry) => ({ ...entry, atMs: 1 }))),
    'the newest is first': seen((entries) => [...entries].reverse()),
  },
  'finds entries by pod, kind, time and number, in memory and on disk alike': {
    'the pod does not matter': without('podUid'),
    'the kind does not matter': without('kinds'),
    'the beginning does not matter': without('sinceMs'),
    'the end does not matter': without('untilMs'),
    'the number does not matter': without('afterSeq'),
    'the disk has nothing': read(() => []),
    'what is not on disk yet comes twice': read((entries) => [...entries, ...entries]),
  },
  'never throws and loses only a decision that is no JSON': {
    'it throws': broken((good) => ({
      report: (decision) => {
        JSON.stringify(decision);
        good.report(decision);
      },
    })),
    'the next one is lost, too': seen(() => []),
  },
  'cuts what is very large, and says so': {
    'it is not cut': seen((entries) => entries.map((entry) => ({ ...entry, error: 'x'.repeat(2_000_000) }) as never)),
    'it does not say so': seen((entries) => entries.map(({ cut: _cut, ...entry }) => entry as JournalEntry)),
  },
  'tells followers what they want, in order, until they unsubscribe': {
    'nobody is told': broken(() => ({ follow: () => () => undefined })),
    'the filter does not matter': broken((good) => ({
      follow: ((listener: (entry: JournalEntry) => void) =>
        good.follow((entry) => listener({ pod: {}, ...entry } as JournalEntry))) as JournalReader['follow'],
    })),
    'nobody can unsubscribe': broken((good) => ({
      follow: ((listener: (entry: JournalEntry) => void, filter?: JournalFilter) => {
        good.follow(listener, filter);
        return () => undefined;
      }) as JournalReader['follow'],
    })),
  },
  'keeps the last entries of each pod, whatever another pod reports': {
    'only the newest are kept': seen((entries) => (entries.length > 5 ? entries.slice(-5) : entries)),
    'nothing is bounded': broken((good) => {
      const entries: JournalEntry[] = [];
      good.follow((entry) => entries.push(entry));
      return {
        recent: (({ podUid }: JournalFilter) =>
          entries.filter((entry) => 'pod' in entry && entry.pod?.uid === podUid)) as JournalReader['recent'],
      };
    }),
  },
  'reads back what earlier processes reported, before what this one did': {
    'the next process reads nothing': restarted(() => ({ stored: async function* () {} })),
    'the next process reads its own first': restarted((good) => ({
      stored: changed(good, (entries) => [...entries].reverse()),
    })),
    'the next process has all in memory': restarted(() => ({ recent: () => [{} as never] })),
  },
  'can be stopped twice, and what was reported before is on disk': {
    'a second stop is refused': refusesSecondStop('journal'),
    'stop writes nothing': broken(() => ({ stop: async () => undefined })),
  },
});
