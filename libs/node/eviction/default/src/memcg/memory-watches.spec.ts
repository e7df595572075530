import { describe, expect, it } from '@jest/globals';
import { parseQuantity } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import type { Summary } from '@podwright/stats-interface';
import { VirtualClock } from '@podwright/time';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Threshold } from '../thresholds/threshold.js';
import type { WatchedMemory } from './memory-usage-watch.js';
import { MemoryWatches } from './memory-watches.js';
import { createReadMemoryUsage } from './read-memory-usage.js';

const threshold = (signal: Threshold['signal'], gracePeriodMs = 0): Threshold => ({
  ...{ signal, gracePeriodMs, value: { quantity: parseQuantity('100') } },
});
const memory = (usageBytes: number, cacheBytes = 50) => ({
  ...{
    time: '',
    usageBytes,
    workingSetBytes: usageBytes - cacheBytes,
    availableBytes: 1_000 - (usageBytes - cacheBytes),
  },
});
const summaryOf = (node: number, pods: number): Summary => ({
  node: {
    ...{ nodeName: 'n', startTime: '', memory: memory(node) },
    systemContainers: [{ name: 'pods', startTime: '', memory: memory(pods) }],
  },
  pods: [],
});

function harness(thresholds: readonly Threshold[]) {
  const [clock, logger, stop] = [new VirtualClock(), createMemoryLogger(), new AbortController()];
  const usage: Record<WatchedMemory, number | undefined> = { node: 500, pods: 500 };
  const crossings: number[] = [];
  const read = async (which: WatchedMemory): Promise<number | undefined> => {
    if (usage[which] === -1) throw new Error('EIO');
    return usage[which];
  };
  const crossed = (): void => void crossings.push(clock.monotonic());
  const watches = new MemoryWatches(thresholds, { read, clock, logger, crossed });
  return { clock, logger, usage, crossings, watches, stop, running: watches.run(stop.signal) };
}

describe('the watch of memory', () => {
  it('tells within a second that usage crosses the limit, in both directions', async () => {
    const { clock, logger, usage, crossings, watches, stop, running } = harness([
      threshold('memory.available'),
      threshold('allocatableMemory.available'),
      threshold('nodefs.available'),
    ]);
    usage.node = 2_000;
    await clock.advance(3_000);
    expect(crossings).toEqual([]); // before there are statistics nothing is known
    watches.update(summaryOf(500, 500));
    usage.node = 949; // capacity 1000 - threshold 100 + cache 50
    await clock.advance(3_000);
    expect(crossings).toEqual([]);
    usage.node = 950;
    await clock.advance(1_000);
    usage.pods = 951;
    await clock.advance(1_000);
    usage.node = 100;
    await clock.advance(5_000);
    expect(crossings).toHaveLength(3);
    expect(logger.entries.map(({ message }) => message)).toEqual([
      'eviction manager: hard memory eviction threshold crossed',
      'eviction manager: hard allocatable memory eviction threshold crossed',
      'eviction manager: hard memory eviction threshold crossed',
    ]);
    stop.abort();
    await running;
    expect(clock.pendingTimers).toBe(0);
  });

  it('takes new limits every ten seconds at most, and a new limit alone for no crossing', async () => {
    const { clock, usage, crossings, watches, stop, running } = harness([threshold('memory.available', 5)]);
    watches.update(summaryOf(500, 0));
    watches.update({ node: { ...summaryOf(500, 0).node, memory: memory(500, 450) }, pods: [] });
    usage.node = 1_000;
    await clock.advance(1_000);
    expect(crossings).toHaveLength(1); // the second limit, 1350, did not count
    await clock.advance(10_000);
    // Above the limit or not is taken from the statistics.
    watches.update({ node: { ...summaryOf(600, 0).node, memory: memory(600, 60) }, pods: [] });
    usage.node = 700;
    await clock.advance(2_000);
    expect(crossings).toHaveLength(1);
    stop.abort();
    await running;
  });

  it('goes on when the file cannot be read, and says nothing where there is none', async () => {
    const { clock, logger, usage, crossings, watches, stop, running } = harness([threshold('memory.available')]);
    watches.update(summaryOf(500, 0));
    usage.node = -1;
    await clock.advance(5_000);
    usage.node = undefined;
    await clock.advance(5_000);
    usage.node = 960;
    await clock.advance(1_000);
    expect(crossings).toHaveLength(1);
    expect(logger.entries.filter(({ severity }) => severity === 'error')).toHaveLength(1);
    stop.abort();
    await running;
  });

  it('reads the v1 hierarchy', async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'podwright-memcg-'));
    const [mounts, root] = [path.join(dir, 'mountinfo'), path.join(dir, 'memory')];
    await mkdir(path.join(root, 'kubepods'), { recursive: true });
    await writeFile(path.join(root, 'memory.usage_in_bytes'), '123\n');
    await writeFile(path.join(root, 'kubepods/memory.usage_in_bytes'), '45\n');
    const cgroups = { roots: () => ({ pods: '/kubepods' }) };
    try {
      await writeFile(mounts, `30 20 0:27 / ${root} rw - cgroup cgroup rw,memory\n`);
      const read = createReadMemoryUsage(cgroups, mounts);
      expect([await read('node'), await read('pods')]).toEqual([123, 45]);
      await writeFile(mounts, `30 20 0:27 / ${root} rw - cgroup2 cgroup2 rw\n`);
      expect(await createReadMemoryUsage(cgroups, mounts)('node')).toBeUndefined();
    } finally {
      await rm(dir, { recursive: true });
    }
  });
});
