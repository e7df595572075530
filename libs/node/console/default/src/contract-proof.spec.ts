import { afterAll } from '@jest/globals';
import type { CgroupTree, Console, ConsoleMessage, JournalPage, PodPage } from '@podwright/console-interface';
import { describeConsoleContract, type ConsoleHarness } from '@podwright/console-interface/contract';
import { breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import { createHarness, removeFolders } from './fixtures/contract-harness.js';

afterAll(removeFolders);

type Broken = (good: ConsoleHarness) => Partial<ConsoleHarness>;

const console = (replaced: (good: Console) => Partial<Console>): Broken => breaksIn('console', replaced);
/** What a watcher is told passes through `change`, which may leave a message out or make more of it. */
const tells = (change: (message: ConsoleMessage, before: number) => readonly ConsoleMessage[]): Broken =>
  console((good) => ({
    watch: (signal) =>
      (async function* () {
        let before = 0;
        for await (const message of good.watch(signal)) yield* change(message, before++);
      })(),
  }));
const hello = (change: (data: Extract<ConsoleMessage, { name: 'hello' }>['data']) => object): Broken =>
  tells((message) =>
    message.name === 'hello' ? [{ ...message, data: { ...message.data, ...change(message.data) } }] : [message],
  );
const pods = (change: (page: PodPage | undefined) => PodPage | undefined): Broken =>
  console((good) => ({ pod: async (...asked) => change(await good.pod(...asked)) }));
const pages = (change: (page: JournalPage) => JournalPage): Broken =>
  console((good) => ({ journal: async (...asked) => change(await good.journal(...asked)) }));
const trees = (change: (tree: CgroupTree) => CgroupTree): Broken =>
  console((good) => ({ cgroups: async (...asked) => change(await good.cgroups(...asked)) }));
const without =
  (name: ConsoleMessage['name']) =>
  (message: ConsoleMessage): readonly ConsoleMessage[] =>
    message.name === name ? [] : [message];

describeContractProof('Console', (create) => describeConsoleContract('a broken Console', create), createHarness, {
  'can be stopped before it was started, and twice, and leaves no timer': {
    'a second stop is refused': refusesSecondStop('console'),
    'a timer is left': (good) => ({ pendingTimers: () => good.pendingTimers() + 1 }),
    'its address stays': console(() => ({ address: () => '127.0.0.1:4194' })),
    'a watcher stays': console(() => ({ watchers: () => 1 })),
  },
  'says hello with all there is, and then a sample every two seconds': {
    'a sample comes first': tells((message, before) =>
      before === 0 ? [{ name: 'node', data: {} as never }, message] : [message],
    ),
    'it says hello twice': tells((message) => (message.name === 'hello' ? [message, message] : [message])),
    'the pods are missing': hello(() => ({ pods: [] })),
    'the lanes are missing': hello(() => ({ lanes: [] })),
    'the journal is missing': hello(() => ({ journal: [] })),
    'there are no samples': tells(without('sample')),
    'each sample comes twice': tells((message) => (message.name === 'sample' ? [message, message] : [message])),
  },
  'tells of a pod that comes, and of one that goes': {
    'changes of pods are not told': tells(without('pods')),
    'changes of lanes are not told': tells(without('lanes')),
    'a pod does not go': tells((message) =>
      message.name === 'pods' ? [{ ...message, data: { ...message.data, removed: [] } }] : [message],
    ),
    'another pod goes, too': tells((message) =>
      message.name === 'pods'
        ? [{ ...message, data: { ...message.data, removed: [...message.data.removed, 'other'] } }]
        : [message],
    ),
  },
  'batches the journal, and counts what it leaves out': {
    'what is left out does not count': tells((message) =>
      message.name === 'journal' ? [{ ...message, data: { entries: message.data.entries } }] : [message],
    ),
    'the oldest entries are told': tells((message) =>
      message.name === 'journal'
        ? [{ ...message, data: { ...message.data, entries: [...message.data.entries].reverse() } }]
        : [message],
    ),
    'each entry is a message': tells((message) => {
      if (message.name !== 'journal') return [message];
      const { entries, dropped = 0 } = message.data;
      return [
        ...entries.map((entry) => ({ name: 'journal' as const, data: { entries: [entry] } })),
        { name: 'journal', data: { entries: [], dropped } },
      ];
    }),
  },
  'holds little for a watcher that takes nothing, and lets it go': {
    'all samples wait': tells((message) => (message.name === 'sample' ? [message, message] : [message])),
    'no sample waits': tells(without('sample')),
    'it stays': console(() => ({ watchers: () => 1 })),
  },
  'refuses one watcher too many, until another one ends': {
    'it lets it in': console((good) => ({
      watch: (signal) => {
        try {
          return good.watch(signal);
        } catch {
          return (async function* () {})();
        }
      },
    })),
    'one that has ended counts': console((good) => {
      let watchers = 0;
      return {
        watch: (signal) => {
          const messages = good.watch(signal);
          if (++watchers > 3) throw Object.assign(new Error('too many'), { code: 'resource-exhausted' });
          return messages;
        },
      };
    }),
  },
  'measures only while somebody watches, and remembers ten minutes': {
    'it always measures': (good) => {
      let more = 0;
      return { measurements: () => good.measurements() + more++ };
    },
    'it forgets at once': hello(() => ({ history: [] })),
    'it remembers for too long': hello(({ history }) => ({ history: [...history, ...history] })),
    'a timer is left': (good) => ({ pendingTimers: () => good.pendingTimers() + 1 }),
  },
  'knows all about a pod, and nothing about one that nobody knows': {
    'it takes it for gone': pods((page) => page && { ...page, explanation: { ...page.explanation, known: 'gone' } }),
    'the row is missing': pods((page) => {
      if (page === undefined) return undefined;
      const { row: _, ...others } = page;
      return others;
    }),
    'the lane is missing': pods((page) => {
      if (page === undefined) return undefined;
      const { lane: _, ...others } = page;
      return others;
    }),
    'what was decided is missing': pods((page) => page && { ...page, decisions: [] }),
    'it knows every name': console((good) => ({ pod: (namespace) => good.pod(namespace, 'web') })),
    'it ignores the UID': console((good) => ({ pod: (namespace, name) => good.pod(namespace, name) })),
  },
  'reads the journal page by page, newest first': {
    'the oldest comes first': pages(({ entries, more }) => ({ entries: [...entries].reverse(), more })),
    'it never has more': pages(({ entries }) => ({ entries, more: false })),
    'it always has more': pages(({ entries }) => ({ entries, more: true })),
    'it ignores the kinds': console((good) => ({
      journal: ({ kinds: _, ...query }, signal) => good.journal(query, signal),
    })),
    'it ignores the limit': console((good) => ({
      journal: (query, signal) => good.journal({ ...query, limit: 100 }, signal),
    })),
    'it always begins with the newest': console((good) => ({
      journal: ({ beforeSeq: _, ...query }, signal) => good.journal(query, signal),
    })),
    'it ignores the pod': console((good) => ({
      journal: ({ podUid: _, ...query }, signal) => good.journal(query, signal),
    })),
    'it ignores until': console((good) => ({
      journal: ({ untilMs: _, ...query }, signal) => good.journal(query, signal),
    })),
    'it ignores since': console((good) => ({
      journal: ({ sinceMs: _, ...query }, signal) => good.journal(query, signal),
    })),
  },
  'shows the cgroups, parents first': {
    'the root is missing': trees(({ atMs, groups }) => ({ atMs, groups: groups.slice(1) })),
    'children come first': trees(({ atMs, groups }) => ({
      atMs,
      groups: [...groups, ...groups.map(({ path }) => ({ path: path.replace(/\/[^/]*$/, '') || '/a' }))].concat(
        { path: '/a/b' },
        { path: '/a' },
      ),
    })),
  },
  'shows nothing when it is switched off': {
    'it says that it is on': breaksIn('off', () => ({ enabled: true })),
    'it has an address': breaksIn('off', () => ({ address: () => '127.0.0.1:4194' })),
    'it may be watched': breaksIn('off', () => ({ watch: () => (async function* () {})() })),
    'it shows pods': breaksIn('off', () => ({ pod: async () => undefined })),
    'it shows cgroups': breaksIn('off', () => ({ cgroups: async () => ({ atMs: 0, groups: [] }) })),
    'it shows the journal': breaksIn('off', () => ({ journal: async () => ({ entries: [], more: false }) })),
  },
});
