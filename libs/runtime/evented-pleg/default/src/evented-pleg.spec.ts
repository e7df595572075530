import { describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { describePlegContract } from '@podwright/pleg-interface/contract';
import { relying, setUp } from './fixtures/event-bench.js';

for (const [when, settledMs] of [
  ['before events are relied upon', 0],
  ['while events are relied upon', 20_000],
] as const) {
  describePlegContract(`EventedPleg ${when}`, { relists: true, inspects: true, disturbs: true }, () => {
    const { clock, podRelist, events, pleg } = setUp();
    let settled = false;
    return {
      pleg,
      cache: podRelist.cache,
      observe: async (podUid, containerId, state) => {
        if (!settled) await clock.advance(settledMs);
        settled = true;
        podRelist.change(podUid, containerId, state);
        events.tell(podUid, containerId, state);
        await clock.advance(1000);
      },
      changeUnder: async (fault, changes) => {
        const told = fault === 'doubled' ? [...changes, ...changes] : [...changes];
        if (fault === 'restarted') {
          podRelist.failing = true;
          events.failWith = new KubeletError('connection refused', { code: 'unavailable' });
          events.breakStreams();
          await clock.advance(5000);
        }
        for (const change of changes) podRelist.change(...change);
        if (fault === 'reordered') told.reverse();
        if (fault === 'doubled' || fault === 'reordered') for (const event of told) events.tell(...event);
        if (fault === 'lost') events.tell('p', 'second', 'running');
        podRelist.failing = false;
        events.failWith = undefined;
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

describe('EventedPleg', () => {
  it('relists each second until a stream has settled, seldom until it has told a change, and then every minute', async () => {
    const { clock, podRelist, pleg, change } = setUp();
    await pleg.start();
    await clock.advance(4000);
    expect(podRelist.looks).toEqual(['*', '*', '*', '*', '*']);
    await clock.advance(20_000);
    expect(podRelist.looks).toHaveLength(7);
    await change('p', 'c', 'running');
    await clock.advance(59_000);
    expect(podRelist.looks.slice(7)).toEqual(['p']);
    await clock.advance(2000);
    expect(podRelist.looks.slice(7)).toEqual(['p', '*']);
    await pleg.stop();
  });

  it('acts upon an event at once', async () => {
    const { podRelist, events, pleg, seen, clock } = await relying();
    podRelist.change('p', 'c', 'exited');
    events.tell('p', 'c', 'exited');
    await clock.advance(0);
    expect(podRelist.looks).toEqual(['p']);
    expect(seen.at(-1)).toEqual({ type: 'ContainerDied', podUid: 'p', containerId: 'c' });
    await pleg.stop();
  });

  it('does not look for what it knows: doubled and old events', async () => {
    const { podRelist, events, pleg, seen, clock, change } = await relying();
    events.tell('p', 'c', 'running');
    events.tell('p', 'c', 'created');
    await change('p', 'c', 'exited');
    events.tell('p', 'c', 'exited');
    events.tell('p', 'c', 'running');
    events.tell('gone-long-ago', 'x', 'gone');
    await clock.advance(50_000);
    expect(podRelist.looks).toEqual(['p']);
    expect(seen).toHaveLength(2);
    await pleg.stop();
  });

  it('looks at a sandbox that has started only when nobody else has done so meanwhile, and at once when it has ended', async () => {
    const { podRelist, events, pleg, clock } = await relying();
    events.tell('q', 's', 'running');
    await clock.advance(500);
    podRelist.change('q', 's', 'running');
    expect(podRelist.looks).toEqual([]);
    pleg.requestRelist('q'); // after the sync that has made it
    await clock.advance(20_000);
    expect(podRelist.looks.splice(0)).toEqual(['q']);
    podRelist.change('orphan', 's', 'running');
    events.tell('orphan', 's', 'running');
    await clock.advance(6_999);
    expect(podRelist.looks).toEqual([]);
    await clock.advance(1);
    expect(podRelist.looks.splice(0)).toEqual(['orphan']);
    await clock.advance(12_000);
    podRelist.looks.length = 0;
    events.tell('q', 's', 'exited');
    await clock.advance(0);
    expect(podRelist.looks).toEqual(['q']);
    await pleg.stop();
  });

  it('looks a few times more when the look does not show what the event says', async () => {
    const { podRelist, events, pleg, seen, clock } = await relying();
    events.tell('p', 'c', 'exited');
    await clock.advance(0);
    expect(podRelist.looks).toEqual(['p']);
    podRelist.change('p', 'c', 'exited');
    await clock.advance(1000);
    expect(podRelist.looks).toEqual(['p', 'p']);
    expect(seen.at(-1)?.type).toBe('ContainerDied');
    events.tell('q', 'never-there', 'running');
    await clock.advance(50_000);
    expect(podRelist.looks.slice(2)).toEqual(['q', 'q', 'q', 'q']);
    expect(clock.pendingTimers).toBe(1);
    await pleg.stop();
  });

  it('finds the pod of an event that names none, and relists when it cannot', async () => {
    const { podRelist, events, pleg, clock } = await relying();
    podRelist.change('p', 'c', 'exited');
    events.tell(undefined, 'c', 'exited');
    await clock.advance(0);
    expect(podRelist.looks).toEqual(['p']);
    events.tell(undefined, 'unheard-of', 'running');
    await clock.advance(1000);
    expect(podRelist.looks).toEqual(['p', '*']);
    await pleg.stop();
  });

  it('answers those who wait patiently at once while relists are rare, and those of the last second with the next relist', async () => {
    const { podRelist, pleg, clock } = setUp();
    await pleg.start();
    await clock.advance(2500);
    pleg.requestRelist('p', { patient: true });
    await clock.advance(500);
    expect(podRelist.looks).toEqual(['*', '*', '*', '*']);
    pleg.requestRelist('q', { patient: true });
    await clock.advance(0);
    // The mode has just changed: one more relist of all.
    await clock.advance(1000);
    expect(podRelist.looks.slice(4)).toEqual(['q', '*']);
    await pleg.stop();
  });

  it('relists as soon as without events after a look has failed', async () => {
    const { podRelist, pleg, clock, seen, change } = await relying();
    podRelist.failing = true;
    await change('p', 'c', 'exited');
    await clock.advance(5000);
    podRelist.failing = false;
    await clock.advance(1500);
    expect(seen.at(-1)?.type).toBe('ContainerDied');
    podRelist.looks.length = 0;
    await clock.advance(50_000);
    expect(podRelist.looks).toEqual([]);
    await pleg.stop();
  });

  it('finds a change of which the event was lost with the safety net at the latest', async () => {
    const { podRelist, pleg, clock, seen } = await relying();
    podRelist.change('p', 'c', 'exited');
    await clock.advance(60_000);
    expect(seen.at(-1)?.type).toBe('ContainerDied');
    await pleg.stop();
  });

  it('shows the pods of the runtime to others only while events prove right', async () => {
    const { pleg, clock, change, events } = setUp();
    await pleg.start();
    await clock.advance(5000);
    expect(pleg.pods()).toBeUndefined();
    await change('p', 'c', 'running');
    await clock.advance(1000);
    expect(pleg.pods()?.map(({ uid }) => uid)).toEqual(['p']);
    events.breakStreams();
    await clock.advance(0);
    expect(pleg.pods()).toBeUndefined();
    await pleg.stop();
  });

  it('is healthy as long as the last relist is young enough for the way it works', async () => {
    const { podRelist, pleg, clock, events } = await relying();
    await clock.advance(290_000);
    expect(pleg.healthy()).toEqual({ ok: true });
    podRelist.failing = true;
    events.breakStreams();
    await clock.advance(180_000);
    expect(pleg.healthy()).toEqual({ ok: true });
    await clock.advance(5_000);
    expect(pleg.healthy()).toMatchObject({ ok: false });
    podRelist.failing = false;
    await clock.advance(2_000);
    expect(pleg.healthy()).toEqual({ ok: true });
    await pleg.stop();
  });

  it('names the option that is out of range', () => {
    expect(() => setUp({ maxStreamFailures: 0 })).toThrow('maxStreamFailures');
    expect(() => setUp({ eventedRelistThresholdMs: 1000 })).toThrow('eventedRelistThresholdMs');
  });
});
