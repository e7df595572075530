import { describe, expect, it } from '@jest/globals';
import { describeEventedPlegContract } from '@podwright/evented-pleg-interface/contract';
import { describePlegContract } from '@podwright/pleg-interface/contract';
import { relying, setUp } from './fixtures/event-harness.js';

for (const [when, settledMs] of [
  ['before events are relied upon', 0],
  ['while events are relied upon', 20_000],
] as const) {
  describePlegContract(`EventedPleg ${when}`, { relists: true, inspects: true }, () => {
    const { clock, podRelist, events, pleg } = setUp();
    let settled = false;
    return {
      pleg,
      cache: podRelist.cache,
      observe: async (...change) => {
        if (!settled) await clock.advance(settledMs);
        settled = true;
        podRelist.change(...change);
        events.tell(...change);
        await clock.advance(1000);
      },
      changeUnseen: async (changes, { runtimeAway }) => {
        podRelist.failing = runtimeAway;
        for (const change of changes) podRelist.change(...change);
        await clock.advance(5000);
        podRelist.failing = false;
        await clock.advance(310_000);
      },
      failInspections: async (podUid, failing) => {
        if (failing) podRelist.unsettled.add(podUid);
        else podRelist.unsettled.delete(podUid);
        await clock.advance(1000);
      },
      pendingTimers: () => clock.pendingTimers,
    };
  });
}

describeEventedPlegContract('EventedPleg', (environment) => setUp({}, environment).pleg);

describe('EventedPleg', () => {
  it('relists each second until a stream has settled, seldom until it has told a change, and then every minute', async () => {
    const { clock, podRelist, pleg, change } = setUp();
    await pleg.start();
    await clock.advance(4000);
    expect(podRelist.relists).toEqual(['*', '*', '*', '*', '*']);
    await clock.advance(20_000);
    expect(podRelist.relists).toHaveLength(7);
    await change('p', 'c', 'running');
    await clock.advance(59_000);
    expect(podRelist.relists.slice(7)).toEqual(['p']);
    await clock.advance(2000);
    expect(podRelist.relists.slice(7)).toEqual(['p', '*']);
    await pleg.stop();
  });

  it('relists for a sandbox that has started or ended only when nobody else has done so meanwhile', async () => {
    const { podRelist, events, pleg, clock } = await relying();
    events.tell('q', 's', 'running');
    await clock.advance(500);
    podRelist.change('q', 's', 'running');
    expect(podRelist.relists).toEqual([]);
    pleg.requestRelist('q'); // after the sync that has made it
    await clock.advance(20_000);
    expect(podRelist.relists.splice(0)).toEqual(['q']);
    podRelist.change('orphan', 's', 'running');
    events.tell('orphan', 's', 'running');
    await clock.advance(6_999);
    expect(podRelist.relists).toEqual([]);
    await clock.advance(1);
    expect(podRelist.relists.splice(0)).toEqual(['orphan']);
    await clock.advance(12_000);
    podRelist.relists.length = 0;
    // Whoever stops it asks for a relist as well.
    podRelist.change('q', 's', 'exited');
    events.tell('q', 's', 'exited');
    await clock.advance(999);
    expect(podRelist.relists).toEqual([]);
    await clock.advance(1);
    expect(podRelist.relists).toEqual(['q']);
    await pleg.stop();
  });

  it('leaves a container that was started or removed to the relist of who did it, for a second', async () => {
    const { podRelist, events, pleg, clock } = await relying();
    podRelist.change('q', 'd', 'running');
    events.tell('q', 'd', 'running');
    await clock.advance(5);
    expect(podRelist.relists).toEqual([]);
    pleg.requestRelist('q');
    await clock.advance(5_000);
    expect(podRelist.relists.splice(0)).toEqual(['q']);
    podRelist.change('orphan', 'e', 'running');
    events.tell('orphan', 'e', 'running');
    await clock.advance(999);
    expect(podRelist.relists).toEqual([]);
    await clock.advance(1);
    expect(podRelist.relists.splice(0)).toEqual(['orphan']);
    podRelist.change('orphan', 'e', 'gone');
    events.tell('orphan', 'e', 'gone');
    await clock.advance(5);
    expect(podRelist.relists).toEqual([]);
    await clock.advance(5_000);
    expect(podRelist.relists).toEqual(['orphan']);
    await pleg.stop();
  });

  it('relists a few times more when the relist does not show what the event says', async () => {
    const { podRelist, events, pleg, seen, clock } = await relying();
    events.tell('p', 'c', 'exited');
    await clock.advance(0);
    expect(podRelist.relists).toEqual(['p']);
    podRelist.change('p', 'c', 'exited');
    await clock.advance(1000);
    expect(podRelist.relists).toEqual(['p', 'p']);
    expect(seen.at(-1)?.type).toBe('ContainerDied');
    events.tell('q', 'never-there', 'exited');
    await clock.advance(50_000);
    expect(podRelist.relists.slice(2)).toEqual(['q', 'q', 'q', 'q']);
    expect(clock.pendingTimers).toBe(1);
    await pleg.stop();
  });

  it('answers those who wait patiently within a second while relists are rare, and those of the last second with the next relist', async () => {
    const { podRelist, pleg, clock } = setUp();
    await pleg.start();
    await clock.advance(2500);
    pleg.requestRelist('p', { patient: true });
    await clock.advance(500);
    expect(podRelist.relists).toEqual(['*', '*', '*', '*']);
    pleg.requestRelist('q', { patient: true });
    await clock.advance(999);
    pleg.requestRelist('q', { patient: true });
    expect(podRelist.relists.slice(4)).toEqual([]);
    // The mode has just changed: one more relist of all.
    await clock.advance(1);
    expect(podRelist.relists.slice(4).sort()).toEqual(['*', 'q']);
    const asked: unknown[] = [];
    podRelist.requestRelist = (podUid, options) => void asked.push([podUid, options]);
    const askedAtMs = clock.monotonic();
    pleg.requestRelist('p', { patient: true, inspect: true, newerThanMs: 7 });
    pleg.requestRelist('q', { patient: true, newerThanMs: 7 });
    await clock.advance(1000);
    expect(asked).toEqual([
      ['p', { patient: true, inspect: true, newerThanMs: 7 }],
      ['p', { newerThanMs: askedAtMs }],
      ['q', { newerThanMs: 7 }],
    ]);
    await pleg.stop();
  });

  it('without on-demand relists leaves requests to the next relist', async () => {
    const { podRelist, pleg, clock } = setUp({ onDemandRelist: false });
    await pleg.start();
    await clock.advance(3000);
    const before = podRelist.relists.length;
    const asked: unknown[] = [];
    podRelist.requestRelist = (podUid, options) => void asked.push([podUid, options]);
    pleg.requestRelist('p');
    pleg.requestRelist('p', { patient: true });
    pleg.requestRelist('q', { inspect: true });
    expect(asked).toEqual([['q', { inspect: true, patient: true }]]);
    expect(podRelist.relists).toHaveLength(before);
    await pleg.stop();
  });

  it('names the option that is out of range', () => {
    expect(() => setUp({ maxStreamFailures: 0 })).toThrow('maxStreamFailures');
    expect(() => setUp({ eventedRelistThresholdMs: 1000 })).toThrow('eventedRelistThresholdMs');
  });
});
