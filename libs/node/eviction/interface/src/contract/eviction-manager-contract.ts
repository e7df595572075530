import { describe, expect, it } from '@podwright/contract';
import type { EvictionManager } from '../eviction-manager.js';

export interface ContractPod {
  readonly name: string;
  readonly priority?: number;
  /** A static pod, which the manager never evicts. */
  readonly critical?: true;
  /** Working set and request, bytes. */
  readonly memory: number;
  readonly memoryRequest?: number;
}

/**
 * One fresh instance, not started, on a node with 8 GiB of memory and no other shortage. Its hard thresholds are 1 GiB
 * of memory and a tenth of the node's file system; there are no soft ones.
 */
export interface EvictionManagerHarness {
  readonly manager: EvictionManager;
  /** How many decisions the manager keeps. */
  readonly keeps: number;
  /** Makes the pod active from now on, until the manager kills it. */
  run(pod: ContractPod): void;
  /** Sets the available memory that the statistics report from now on. */
  setMemoryAvailable(bytes: number): void;
  /** false: the statistics cannot be read. */
  setReadable(readable: boolean): void;
  /** Names of the killed pods, in order. */
  killed(): readonly string[];
  advance(ms: number): Promise<void>;
  pendingTimers(): number;
}

const gibibyte = 2 ** 30;

/** Every implementation of {@link EvictionManager} passes this suite; `create` gives a new instance per case. */
export function describeEvictionManagerContract(name: string, create: () => Promise<EvictionManagerHarness>): void {
  describe(`${name} as an EvictionManager`, () => {
    it('can be stopped before it was started, and twice, and leaves no timer', async () => {
      const first = await create();
      await first.manager.stop();
      await Promise.all([first.manager.stop(), first.manager.stop()]);
      const second = await create();
      await second.manager.start();
      await second.advance(25_000);
      expect(second.manager.healthy().ok).toBe(true);
      await second.manager.stop();
      expect(second.manager.healthy().ok).toBe(false);
      expect([first.pendingTimers(), second.pendingTimers()]).toEqual([0, 0]);
      await expect(second.manager.synchronize()).rejects.toMatchObject({ code: 'cancelled' });
    });

    it('does nothing while nothing is short', async () => {
      const { manager, run, killed } = await create();
      run({ name: 'a', memory: 4 * gibibyte });
      expect(await manager.synchronize()).toBeUndefined();
      expect([killed(), manager.decisions()]).toEqual([[], []]);
      await manager.stop();
    });

    it('evicts one pod per pass: above its request before others, then by priority, then by excess', async () => {
      const { manager, run, setMemoryAvailable, killed, advance } = await create();
      run({ name: 'modest', memory: 2 * gibibyte, memoryRequest: 3 * gibibyte, priority: -5 });
      run({ name: 'important', memory: 3 * gibibyte, memoryRequest: gibibyte, priority: 10 });
      run({ name: 'small', memory: gibibyte, priority: 0 });
      run({ name: 'large', memory: 2 * gibibyte, priority: 0 });
      setMemoryAvailable(gibibyte / 2);
      for (let pass = 0; pass < 5; pass++) {
        await manager.synchronize();
        expect(killed()).toHaveLength(Math.min(pass + 1, 4));
        await advance(2_000);
      }
      expect(killed()).toEqual(['large', 'small', 'important', 'modest']);
      await manager.stop();
    });

    it('never evicts a critical pod', async () => {
      const { manager, run, setMemoryAvailable, killed } = await create();
      run({ name: 'static', memory: 4 * gibibyte, critical: true });
      setMemoryAvailable(0);
      expect(await manager.synchronize()).toMatchObject({ reclaimFor: 'memory.available', evicted: [] });
      expect(killed()).toEqual([]);
      await manager.stop();
    });

    it('records why: signals, thresholds, the whole ranking with its numbers, and what was evicted', async () => {
      const { manager, run, setMemoryAvailable } = await create();
      run({ name: 'a', memory: 2 * gibibyte, memoryRequest: gibibyte, priority: 7 });
      run({ name: 'static', memory: gibibyte, critical: true });
      setMemoryAvailable(gibibyte / 2);
      const decision = await manager.synchronize();
      expect(decision).toMatchObject({
        dryRun: false,
        conditions: ['MemoryPressure'],
        reclaimFor: 'memory.available',
        rankings: [
          {
            signal: 'memory.available',
            resource: 'memory',
            pods: [
              { name: 'static', exempt: 'critical', usage: gibibyte, request: 0, exceedsRequest: true },
              { name: 'a', usage: 2 * gibibyte, request: gibibyte, priority: 7, exceedsRequest: true },
            ],
          },
        ],
        evicted: [{ name: 'a', signal: 'memory.available', gracePeriodSeconds: 1 }],
      });
      const signal = decision?.signals.find((one) => one.signal === 'memory.available');
      expect(signal).toMatchObject({ available: gibibyte / 2, resource: 'memory' });
      const threshold = decision?.thresholds.find((one) => one.signal === 'memory.available');
      expect(threshold).toMatchObject({ quantity: gibibyte, gracePeriodMs: 0, met: true });
      expect(manager.decisions()).toEqual([decision]);
      expect(JSON.parse(JSON.stringify(decision))).toEqual(decision);
      await manager.stop();
    });

    it('keeps the last decisions, newest first, and no more than it says', async () => {
      const { manager, keeps, run, setMemoryAvailable, killed, advance } = await create();
      setMemoryAvailable(0);
      for (let pass = 0; pass < keeps + 3; pass++) {
        run({ name: `pod-${pass}`, memory: gibibyte });
        await manager.synchronize();
        await advance(2_000);
      }
      expect(killed()).toHaveLength(keeps + 3);
      const names = manager.decisions().map(({ evicted }) => evicted[0]?.name);
      expect(names).toHaveLength(keeps);
      expect(names.slice(0, 2)).toEqual([`pod-${keeps + 2}`, `pod-${keeps + 1}`]);
      await manager.stop();
    });

    it('tells in a dry run what a pass would do, and does nothing', async () => {
      const { manager, run, setMemoryAvailable, killed } = await create();
      run({ name: 'a', memory: gibibyte });
      run({ name: 'b', memory: 2 * gibibyte });
      const calm = await manager.dryRun();
      expect(calm).toMatchObject({ dryRun: true, conditions: [], evicted: [] });
      const order = (decision: typeof calm): unknown =>
        decision.rankings.find(({ signal }) => signal === 'memory.available')?.pods.map((pod) => pod.name);
      expect(order(calm)).toEqual(['b', 'a']);
      setMemoryAvailable(0);
      for (let time = 0; time < 3; time++) {
        expect(await manager.dryRun()).toMatchObject({
          reclaimFor: 'memory.available',
          conditions: ['MemoryPressure'],
          evicted: [{ name: 'b' }],
        });
      }
      expect([killed(), manager.decisions()]).toEqual([[], []]);
      expect(await manager.synchronize()).toMatchObject({ evicted: [{ name: 'b' }] });
      await manager.stop();
    });

    it('observes every ten seconds, and sooner when it has evicted', async () => {
      const { manager, run, setMemoryAvailable, killed, advance } = await create();
      run({ name: 'a', memory: gibibyte });
      run({ name: 'b', memory: 2 * gibibyte });
      await manager.start();
      await advance(2_000);
      setMemoryAvailable(0);
      await advance(7_900);
      expect(killed()).toEqual([]);
      await advance(200);
      expect(killed()).toEqual(['b']);
      await advance(5_000);
      expect(killed()).toEqual(['b', 'a']);
      await manager.stop();
    });

    it('waits out a time without statistics', async () => {
      const { manager, run, setReadable, setMemoryAvailable, killed, advance } = await create();
      run({ name: 'a', memory: gibibyte });
      setMemoryAvailable(0);
      setReadable(false);
      await manager.start();
      await advance(15_000);
      await expect(manager.dryRun()).rejects.toThrow();
      expect([killed(), manager.decisions()]).toEqual([[], []]);
      setReadable(true);
      await advance(10_000);
      expect(killed()).toEqual(['a']);
      await manager.stop();
    });
  });
}
