import { describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@podwright/time';
import { engineSettings } from './engine-settings.js';
import { tendHeap } from './tend-heap.js';

const settingsOfLater = ['--no-maglev', '--heap-growing-percent=60', '--gc-memory-reducer-start-delay-ms=2000'];

describe('settings of V8', () => {
  it.each([
    ['11.3.244.8-node.39', ['--interrupt-budget=1000000']],
    ['12.4.254.21-node.33', settingsOfLater],
    ['14.6.202.33-node.1', settingsOfLater],
  ])('of version %s are those that it knows', (version, expected) => {
    expect(engineSettings(version)).toEqual(expected);
  });
});

describe('the heap', () => {
  const harness = () => {
    const clock = new VirtualClock();
    const stop = new AbortController();
    const seen = { set: [] as string[], mebibytes: 8, heapMebibytes: 30, cpuUs: 500_000, collections: 0 };
    const engine = {
      youngBytes: () => seen.mebibytes * 1024 * 1024,
      heapBytes: () => seen.heapMebibytes * 1024 * 1024,
      collect: () => {
        seen.collections++;
        seen.heapMebibytes -= 20;
      },
      cpuUs: () => seen.cpuUs,
      set: (setting: string) => void seen.set.push(setting),
    };
    const tended = tendHeap(clock, engine, stop.signal);
    const end = async () => {
      stop.abort();
      await tended.catch(() => undefined);
    };
    /** What has been set since the last time. */
    const after = async (milliseconds: number) => {
      await clock.advance(milliseconds);
      return seen.set.splice(0);
    };
    return { seen, after, end };
  };

  it('has space for new objects that may grow again after V8 has shrunk it, up to 8 MiB', async () => {
    const { seen, after, end } = harness();
    expect(await after(5_000)).toContain('--semi-space-growth-factor=1');
    seen.mebibytes = 1;
    expect(await after(1_000)).toEqual(['--semi-space-growth-factor=2']);
    seen.mebibytes = 4;
    expect(await after(1_000)).toEqual([]);
    seen.mebibytes = 8;
    expect(await after(1_000)).toEqual(['--semi-space-growth-factor=1']);
    await end();
  });

  it('may become smaller while the process needs less than 5 % of a core', async () => {
    const { seen, after, end } = harness();
    expect(await after(0)).toContain('--no-optimize-for-size');
    seen.cpuUs += 49_000;
    expect(await after(1_000)).toEqual(['--optimize-for-size']);
    expect(await after(10_000)).toEqual([]);
    seen.cpuUs += 51_000;
    expect(await after(1_000)).toEqual(['--no-optimize-for-size']);
    await end();
  });

  it('is collected after five seconds at rest, when it has grown by more than 10 MiB and is not large', async () => {
    const { seen, after, end } = harness();
    const collectionsAfterBurst = async (heapMebibytes: number) => {
      const before = seen.collections;
      Object.assign(seen, { heapMebibytes, cpuUs: seen.cpuUs + 1_000_000 });
      await after(5_000);
      expect(seen.collections).toBe(before);
      await after(20_000);
      return seen.collections - before;
    };
    await after(10_000);
    expect(await collectionsAfterBurst(40)).toBe(0);
    expect(await collectionsAfterBurst(51)).toBe(1);
    // It came to 31 MiB.
    expect(await collectionsAfterBurst(41)).toBe(0);
    expect(await collectionsAfterBurst(99)).toBe(1);
    expect(await collectionsAfterBurst(101)).toBe(0);
    await end();
  });
});
