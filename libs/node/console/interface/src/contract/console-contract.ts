import { describe, expect, it } from '@podwright/contract';
import type { Decision, JournalPod } from '@podwright/journal-interface';
import type { Console } from '../console.js';
import type { ConsoleMessage, ConsoleMessageName, ConsoleMessages } from '../data/console-message.js';

/** A new instance, switched on and not started, on a node without pods and with an empty journal. */
export interface ConsoleHarness {
  readonly console: Console;
  /** Another instance, switched off. */
  readonly off: Console;
  /** So many may watch at once. */
  readonly maxWatchers: number;
  /** The kubelet has this pod from now on. */
  have(pod: JournalPod): void;
  /** The kubelet no longer has it. */
  lose(pod: JournalPod): void;
  /** A manager reports a decision. */
  report(decision: Decision): void;
  /** How often the use of the node was measured. */
  measurements(): number;
  /** Lets time pass. */
  advance(ms: number): Promise<void>;
  pendingTimers(): number;
}

const web: JournalPod = { uid: 'uid-web', namespace: 'default', name: 'web' };
const received = (pod: JournalPod): Decision => ({ kind: 'pod.received', pod, source: 'api', operation: 'add' });
const leaseFailed = (error: string): Decision => ({ kind: 'lease.failed', error });

/** Takes messages as they come. */
function take(messages: AsyncIterable<ConsoleMessage>): {
  readonly all: ConsoleMessage[];
  readonly ended: Promise<void>;
  of<N extends ConsoleMessageName>(name: N): readonly ConsoleMessages[N][];
} {
  const all: ConsoleMessage[] = [];
  const ended = (async () => {
    for await (const message of messages) all.push(message);
  })();
  return {
    ...{ all, ended },
    of: <N extends ConsoleMessageName>(name: N) =>
      all.flatMap((message) => (message.name === name ? [message.data as ConsoleMessages[N]] : [])),
  };
}

/** Every implementation of {@link Console} passes this suite; `create` gives a new instance per case. */
export function describeConsoleContract(name: string, create: () => Promise<ConsoleHarness>): void {
  describe(`${name} as a Console`, () => {
    it('can be stopped before it was started, and twice, and leaves no timer', async () => {
      const first = await create();
      await first.console.stop();
      await first.console.stop();
      const { console, advance, pendingTimers } = await create();
      await console.start();
      const { ended } = take(console.watch(new AbortController().signal));
      await advance(5_000);
      await Promise.all([console.stop(), console.stop()]);
      await ended;
      expect([console.watchers(), console.address(), pendingTimers()]).toEqual([0, undefined, 0]);
    });

    it('says hello with all there is, and then a sample every two seconds', async () => {
      const { console, have, report, advance } = await create();
      have(web);
      report(received(web));
      await console.start();
      const watch = take(console.watch(new AbortController().signal));
      await advance(6_500);
      expect(watch.all[0]?.name).toBe('hello');
      const [hello, ...others] = watch.of('hello');
      expect(others).toEqual([]);
      expect(hello?.pods.map(({ uid }) => uid)).toEqual([web.uid]);
      expect(hello?.lanes.map(({ uid, marks }) => [uid, marks[0]?.kind])).toEqual([[web.uid, 'received']]);
      expect(hello?.journal.map(({ kind }) => kind)).toEqual(['pod.received']);
      const times = watch.of('sample').map(({ atMs }) => atMs);
      expect(times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0))).toEqual(times.slice(1).map(() => 2_000));
      expect(times.length).toBeGreaterThanOrEqual(3);
      await console.stop();
    });

    it('tells of a pod that comes, and of one that goes', async () => {
      const { console, have, lose, report, advance } = await create();
      await console.start();
      const watch = take(console.watch(new AbortController().signal));
      await advance(1_000);
      have(web);
      report(received(web));
      await advance(2_500);
      expect(watch.of('pods').flatMap(({ changed }) => changed.map(({ name }) => name))).toContain('web');
      expect(watch.of('lanes').flatMap(({ changed }) => changed.map(({ name }) => name))).toContain('web');
      expect(watch.of('pods').flatMap(({ removed }) => removed)).toEqual([]);
      lose(web);
      await advance(2_500);
      expect(watch.of('pods').flatMap(({ removed }) => removed)).toEqual([web.uid]);
      await console.stop();
    });

    it('batches the journal, and counts what it leaves out', async () => {
      const { console, report, advance } = await create();
      await console.start();
      const watch = take(console.watch(new AbortController().signal));
      await advance(1_000);
      const before = watch.of('journal').length;
      for (let round = 0; round < 10; round++) {
        for (let entry = 0; entry < 300; entry++) report(leaseFailed(`${round}.${entry}`));
        await advance(100);
      }
      await advance(1_000);
      const batches = watch.of('journal').slice(before);
      expect(batches.length).toBeLessThanOrEqual(5);
      const told = batches.reduce((sum, { entries, dropped = 0 }) => sum + entries.length + dropped, 0);
      expect(told).toBe(3_000);
      const last = batches.at(-1)?.entries.at(-1);
      expect(last).toMatchObject({ kind: 'lease.failed', error: '9.299' });
      await console.stop();
    });

    it('holds little for a watcher that takes nothing, and lets it go', async () => {
      const { console, have, report, advance } = await create();
      await console.start();
      const slow = new AbortController();
      const messages = console.watch(slow.signal)[Symbol.asyncIterator]();
      await messages.next();
      have(web);
      for (let round = 0; round < 20; round++) {
        report(received(web));
        await advance(2_000);
      }
      const waited = take({ [Symbol.asyncIterator]: () => messages });
      await advance(0);
      const names = waited.all.map(({ name: each }) => each);
      expect(names).toEqual([...new Set(names)]);
      expect(names).toEqual(expect.arrayContaining(['pods', 'lanes', 'sample', 'journal']));
      slow.abort();
      await console.watch(new AbortController().signal)[Symbol.asyncIterator]().next();
      await advance(70_000);
      expect(console.watchers()).toBe(0);
      await console.stop();
    });

    it('refuses one watcher too many, until another one ends', async () => {
      const { console, maxWatchers, advance } = await create();
      await console.start();
      const first = new AbortController();
      const { ended } = take(console.watch(first.signal));
      for (let count = 1; count < maxWatchers; count++) take(console.watch(new AbortController().signal));
      const oneMore = (): unknown => console.watch(new AbortController().signal);
      expect(oneMore).toThrow(expect.objectContaining({ code: 'resource-exhausted' }));
      first.abort();
      await advance(0);
      await ended;
      expect(oneMore).not.toThrow();
      await console.stop();
    });

    it('measures only while somebody watches, and remembers ten minutes', async () => {
      const { console, measurements, advance, pendingTimers } = await create();
      await console.start();
      await advance(60_000);
      expect([measurements(), pendingTimers()]).toEqual([0, 0]);
      const first = new AbortController();
      const watch = take(console.watch(first.signal));
      await advance(20_000);
      first.abort();
      await watch.ended;
      const seen = watch.of('sample').length;
      const measured = measurements();
      expect(seen).toBeGreaterThanOrEqual(9);
      await advance(60_000);
      expect(measurements()).toBe(measured);
      const again = take(console.watch(new AbortController().signal));
      await advance(1_000);
      expect(again.of('hello')[0]?.history).toHaveLength(seen);
      await advance(700_000);
      const last = take(console.watch(new AbortController().signal));
      await advance(1_000);
      const history = last.of('hello')[0]?.history ?? [];
      expect(history.length).toBeLessThanOrEqual(300);
      expect(history.length).toBeGreaterThanOrEqual(290);
      await console.stop();
      expect(pendingTimers()).toBe(0);
    });

    it('knows all about a pod, and nothing about one that nobody knows', async () => {
      const { console, have, report } = await create();
      have(web);
      report(received(web));
      await console.start();
      const page = await console.pod('default', 'web');
      expect(page).toMatchObject({ explanation: { known: 'here' }, row: { uid: web.uid }, lane: { uid: web.uid } });
      expect(page?.decisions.map(({ kind }) => kind)).toEqual(['pod.received']);
      expect(await console.pod('default', 'other')).toBeUndefined();
      expect(await console.pod('default', 'web', { uid: 'another' })).toBeUndefined();
      await console.stop();
    });

    it('reads the journal page by page, newest first', async () => {
      const { console, report } = await create();
      for (const error of ['first', 'second', 'third']) report(leaseFailed(error));
      report(received(web));
      await console.start();
      const kinds = ['lease.failed'] as const;
      const page = await console.journal({ kinds, limit: 2 });
      expect(page).toMatchObject({ entries: [{ error: 'third' }, { error: 'second' }], more: true });
      const beforeSeq = page.entries.at(-1)?.seq ?? 0;
      const rest = await console.journal({ kinds, limit: 2, beforeSeq });
      expect(rest).toMatchObject({ entries: [{ error: 'first' }], more: false });
      const ofPod = await console.journal({ podUid: web.uid, limit: 10 });
      expect(ofPod.entries.map(({ kind }) => kind)).toEqual(['pod.received']);
      const [entry] = ofPod.entries;
      expect((await console.journal({ untilMs: (entry?.atMs ?? 0) - 1_000, limit: 10 })).entries).toEqual([]);
      expect((await console.journal({ sinceMs: (entry?.atMs ?? 0) + 1, limit: 10 })).entries).toEqual([]);
      await console.stop();
    });

    it('shows the cgroups, parents first', async () => {
      const { console } = await create();
      await console.start();
      const { groups } = await console.cgroups();
      const paths = groups.map(({ path }) => path);
      expect(paths[0]).toBe('/');
      for (const [index, path] of paths.entries()) {
        expect(paths.slice(index + 1).filter((later) => path.startsWith(`${later}/`))).toEqual([]);
      }
      await console.stop();
    });

    it('shows nothing when it is switched off', async () => {
      const { off } = await create();
      await off.start();
      const unavailable = expect.objectContaining({ code: 'unavailable' });
      expect([off.enabled, off.address()]).toEqual([false, undefined]);
      expect(() => off.watch(new AbortController().signal)).toThrow(unavailable);
      await expect(off.pod('default', 'web')).rejects.toEqual(unavailable);
      await expect(off.cgroups()).rejects.toEqual(unavailable);
      await expect(off.journal({ limit: 1 })).rejects.toEqual(unavailable);
      await off.stop();
    });
  });
}
