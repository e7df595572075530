import { describe, expect, it } from '@podwright/contract';
import type { OomKill, OomWatcher } from '../oom-watcher.js';

/** One fresh OomWatcher and the means to drive it. */
export interface OomWatcherHarness {
  readonly watcher: OomWatcher;
  /** Makes the kernel log a kill; resolves when the watcher has had time to read it. */
  kill(kill: OomKill): Promise<void>;
  /** Makes the kernel's log unreadable, for instance closes it. */
  breakSource(): Promise<void>;
  /** The events about the node, as `Warning SystemOOM: message`. */
  nodeEvents(): readonly string[];
  /** Number of timers that still run; must be 0 after `stop()`. */
  pendingTimers(): number;
}

const system: OomKill = { processName: 'postgres', pid: 4711, containerCgroup: '/', limitCgroup: '/' };
const container: OomKill = {
  processName: 'stress',
  pid: 12,
  containerCgroup: '/kubepods/pod1/c1',
  limitCgroup: '/kubepods/pod1',
};

/** Every implementation of {@link OomWatcher} passes this suite; `create` gives a new instance per case. */
export function describeOomWatcherContract(
  name: string,
  create: () => OomWatcherHarness | Promise<OomWatcherHarness>,
): void {
  describe(`${name} as an OomWatcher`, () => {
    it('records an event on the node when the system was short, and tells its listeners', async () => {
      const { watcher, kill, nodeEvents } = await create();
      const seen: OomKill[] = [];
      watcher.watch((one) => seen.push(one));
      await watcher.start();
      await kill(system);
      expect(nodeEvents()).toEqual(['Warning SystemOOM: System OOM encountered, victim process: postgres, pid: 4711']);
      expect(seen).toEqual([system]);
      await watcher.stop();
    });

    it('tells its listeners alone of a kill within a limit, until they leave', async () => {
      const { watcher, kill, nodeEvents } = await create();
      const seen: OomKill[] = [];
      const leave = watcher.watch((one) => seen.push(one));
      await watcher.start();
      await kill(container);
      leave();
      await kill(container);
      expect(seen).toEqual([container]);
      expect(nodeEvents()).toEqual([]);
      await watcher.stop();
    });

    it('does not stop the node when it cannot watch', async () => {
      const { watcher, breakSource, pendingTimers } = await create();
      await watcher.start();
      await breakSource();
      expect(watcher.healthy().ok).toBe(true);
      await watcher.stop();
      expect(pendingTimers()).toBe(0);
    });

    it('can be stopped before it was started, and twice', async () => {
      const { watcher, kill, nodeEvents, pendingTimers } = await create();
      await watcher.stop();
      await watcher.stop();
      await kill(system);
      expect(nodeEvents()).toEqual([]);
      expect(pendingTimers()).toBe(0);
    });
  });
}
