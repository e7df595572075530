import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { VirtualClock } from '@podwright/time';
import { VolumeOperations } from './volume-operations.js';
import { VolumeRefresher } from './volume-refresher.js';

const podOf = (name: string): Pod => ({ metadata: { name }, spec: { containers: [] } });

describe('VolumeRefresher', () => {
  function setUp() {
    const clock = new VirtualClock();
    const stopping = new AbortController();
    const operations = new VolumeOperations(clock, { retryMs: 500, maxRetryMs: 122_000 });
    const refresher = new VolumeRefresher(operations, stopping.signal, createMemoryLogger());
    const runs: string[] = [];
    const refresh = (pod: Pod, effect: () => Promise<void> = async () => undefined): void =>
      refresher.refresh('v', { volume: 'v' }, pod, async ({ metadata }) => {
        runs.push(`${metadata.name} ${clock.monotonic()}`);
        await effect();
      });
    return { clock, stopping, refresh, runs };
  }

  it('runs once for each sync of a pod that has time', async () => {
    const { clock, refresh, runs } = setUp();
    refresh(podOf('a'));
    await clock.advance(1_000);
    refresh(podOf('a'));
    await clock.advance(1_000);
    expect(runs).toEqual(['a 0', 'a 1000']);
  });

  it('makes one more run, with the newest pod, of all syncs that came meanwhile', async () => {
    const { clock, refresh, runs } = setUp();
    const slow = (): Promise<void> => clock.sleep(1_000);
    for (const name of ['a', 'b', 'c']) refresh(podOf(name), slow);
    await clock.advance(10_000);
    expect(runs).toEqual(['a 0', 'c 1000']);
    const same = podOf('d');
    for (let times = 0; times < 3; times += 1) refresh(same, slow);
    await clock.advance(10_000);
    expect(runs.slice(2)).toEqual(['d 10000']);
  });

  it('tries again with growing pauses, with the pod as it is then', async () => {
    const { clock, refresh, runs } = setUp();
    let failures = 3;
    refresh(podOf('a'), async () => (failures-- > 0 ? Promise.reject(new Error('no')) : undefined));
    await clock.advance(600);
    refresh(podOf('b'));
    await clock.advance(10_000);
    expect(runs).toEqual(['a 0', 'a 500', 'b 1500', 'b 3500']);
  });

  it('ends with the manager', async () => {
    const { clock, refresh, runs, stopping } = setUp();
    refresh(podOf('a'), () => Promise.reject(new Error('no')));
    await clock.advance(100);
    stopping.abort(new Error('stop'));
    await clock.advance(10_000);
    expect(runs).toEqual(['a 0']);
  });
});
