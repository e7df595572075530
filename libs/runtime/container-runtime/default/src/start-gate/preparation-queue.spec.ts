import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Pod, PodSpec } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { VirtualClock } from '@podwright/time';
import { podWith } from '../fixtures/records.js';
import { PreparationQueue } from './preparation-queue.js';
import { StartGate } from './start-gate.js';

const named = (name: string, spec: Partial<PodSpec> = {}): Pod => podWith(spec, { name, uid: name });
const never = new AbortController().signal;

describe('the queue of pods that prepare', () => {
  let clock: VirtualClock;
  let gate: StartGate;
  let queue: PreparationQueue;
  /** What ends the preparation of each pod whose turn has come. */
  const ends = new Map<string, () => void>();
  beforeEach(() => {
    ends.clear();
    clock = new VirtualClock();
    const places = { initialConcurrentStarts: 2, maxConcurrentStarts: 2 };
    gate = new StartGate({ clock, logger: createMemoryLogger() }, { ...places, startPlaceTimeoutMs: 10_000 });
    queue = new PreparationQueue(clock, gate);
  });

  async function come(pods: readonly Pod[], signal = never): Promise<readonly string[]> {
    for (const pod of pods) void queue.awaitTurn(pod, signal).then((end) => ends.set(pod.metadata.name ?? '', end));
    return turns();
  }
  async function turns(): Promise<readonly string[]> {
    await clock.advance(0);
    return [...ends.keys()];
  }

  it('lets as many prepare as may start at once, in the order in which they came', async () => {
    expect(await come(['a', 'b', 'c', 'd'].map((name) => named(name)))).toEqual(['a', 'b']);
    ends.get('b')?.();
    ends.get('b')?.();
    expect(await turns()).toEqual(['a', 'b', 'c']);
    ends.get('a')?.();
    expect(await turns()).toEqual(['a', 'b', 'c', 'd']);
    for (const end of ends.values()) end();
    expect(clock.pendingTimers).toBe(0);
  });

  it('lets none prepare while as many wait for a place, until one of them gets it', async () => {
    const starts = ['p', 'q', 'r', 's'].map((name) => gate.enter(named(name), false));
    expect(gate.waiting).toBe(2);
    expect(await come([named('a'), named('b')])).toEqual([]);
    (await starts[0])?.(false);
    expect(await turns()).toEqual(['a']);
    (await starts[1])?.(false);
    expect(await turns()).toEqual(['a', 'b']);
  });

  it('lets the next one prepare when a pod that waits for a place is deleted', async () => {
    const deleted = new AbortController();
    for (const name of ['p', 'q', 'r']) void gate.enter(named(name), false);
    void gate.enter(named('s'), false, deleted.signal);
    expect(await come([named('a')])).toEqual([]);
    deleted.abort();
    expect(await turns()).toEqual(['a']);
  });

  it('does not wait for preparations that take long', async () => {
    expect(await come(['slow', 'slow2', 'a', 'b', 'c'].map((name) => named(name)))).toEqual(['slow', 'slow2']);
    await clock.advance(199);
    expect(await turns()).toEqual(['slow', 'slow2']);
    await clock.advance(1);
    expect(await turns()).toEqual(['slow', 'slow2', 'a', 'b']);
    // Its end comes late, and makes no room a second time.
    ends.get('slow')?.();
    expect(await turns()).not.toContain('c');
  });

  it('lets pods begin at once that are critical, or whose preparation may take long', async () => {
    const local: Partial<PodSpec> = {
      volumes: [
        { name: 'a', emptyDir: {} },
        { name: 'b', projected: { sources: [] } },
        { name: 'c', configMap: { name: 'c' } },
        { name: 'd', secret: { secretName: 'd' } },
        { name: 'e', downwardAPI: {} },
        { name: 'f', hostPath: { path: '/f' } },
      ],
    };
    const claim: Partial<PodSpec> = { volumes: [{ name: 'a', persistentVolumeClaim: { claimName: 'a' } }] };
    const early = [
      named('claim', claim),
      named('device', { resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }] }),
      named('critical', { priorityClassName: 'system-cluster-critical', priority: 2_000_000_000 }),
    ];
    const turn = ['first', 'second', 'claim', 'device', 'critical'];
    expect(await come([named('first'), named('second'), named('local', local), ...early])).toEqual(turn);
  });

  it('holds up no pod that is deleted', async () => {
    const deleted = new AbortController();
    await come([named('a'), named('b')]);
    expect(await come([named('c')], deleted.signal)).toEqual(['a', 'b']);
    deleted.abort();
    expect(await turns()).toEqual(['a', 'b', 'c']);
    expect(await come([named('d')], deleted.signal)).toContain('d');
    // Neither of them counts.
    await come([named('e')]);
    ends.get('a')?.();
    expect(await turns()).toContain('e');
  });
});
