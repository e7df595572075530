import { describe, expect, it } from '@podwright/contract';
import { KubeletError } from '@podwright/errors';
import type { ContractPlegs } from './contract-pleg.js';

/** Cases about streams that end: the pleg falls back to relists, and returns to events. */
export function streamCases({ created, relying }: ContractPlegs): void {
  describe('a stream that breaks', () => {
    it('is replaced by relists each second, at once, and by another stream', async () => {
      const { pleg, podRelist, events, clock, seen, change } = await relying();
      events.breakStreams();
      podRelist.change('p', 'c', 'exited');
      await clock.advance(0);
      expect(seen.at(-1)).toEqual({ type: 'ContainerDied', podUid: 'p', containerId: 'c' });
      expect(pleg.streamState).toBe('down');
      podRelist.change('q', 'd', 'running');
      await clock.advance(1000);
      expect(seen.at(-1)).toEqual({ type: 'ContainerStarted', podUid: 'q', containerId: 'd' });
      await clock.advance(9000);
      expect([events.opened, events.openStreams, pleg.streamState]).toEqual([2, 1, 'unproven']);
      await change('p', 'e', 'running');
      await clock.advance(2000);
      expect(pleg.streamState).toBe('proven');
      podRelist.relists.length = 0;
      await clock.advance(50_000);
      expect(podRelist.relists).toEqual([]);
    });

    it('is not replaced by another before the runtime answers again', async () => {
      const { podRelist, events, clock } = await relying();
      podRelist.failing = true;
      events.failWith = new KubeletError('connection refused', { code: 'unavailable' });
      events.breakStreams();
      await clock.advance(100_000);
      expect(events.opened).toBe(1);
      podRelist.failing = false;
      events.failWith = undefined;
      await clock.advance(2000);
      expect([events.opened, events.openStreams]).toEqual([2, 1]);
    });

    it('leaves nobody a view of the runtime until the next one has proved right', async () => {
      const { pleg, clock, change, events } = created();
      await pleg.start();
      await clock.advance(5000);
      expect(pleg.pods()).toBeUndefined();
      await change('p', 'c', 'running');
      await clock.advance(1000);
      expect(pleg.pods()?.map(({ uid }) => uid)).toEqual(['p']);
      events.breakStreams();
      await clock.advance(0);
      expect(pleg.pods()).toBeUndefined();
      await clock.advance(10_000);
      expect(pleg.pods()).toBeUndefined();
      await change('q', 'd', 'running');
      await clock.advance(1000);
      expect(pleg.pods()?.map(({ uid }) => uid)).toEqual(['p', 'q']);
    });
  });

  describe('events are given up for five minutes, and then tried again', () => {
    it('after five streams in a row that ended without use', async () => {
      const { pleg, podRelist, events, clock, seen, change } = created();
      events.failWith = new KubeletError('stream is broken', { code: 'internal' });
      await pleg.start();
      await clock.advance(60_000);
      expect(events.opened).toBe(5);
      podRelist.change('p', 'c', 'running');
      await clock.advance(1000);
      expect(seen).toEqual([{ type: 'ContainerStarted', podUid: 'p', containerId: 'c' }]);
      events.failWith = undefined;
      await clock.advance(200_000);
      expect([events.opened, pleg.streamState]).toEqual([5, 'down']);
      await clock.advance(100_000);
      expect([events.opened, events.openStreams, pleg.streamState]).toEqual([6, 1, 'unproven']);
      await change('p', 'c', 'exited');
      expect(pleg.streamState).toBe('proven');
    });

    it('not after streams that were of use', async () => {
      const { pleg, events, clock, change } = await relying();
      for (const state of ['exited', 'running', 'exited', 'running', 'exited', 'running'] as const) {
        events.breakStreams();
        await clock.advance(15_000);
        await change('p', `c${events.opened}`, state);
        expect([events.openStreams, pleg.streamState]).toEqual([1, 'proven']);
      }
    });

    it('at once when the runtime has none, as often as that is so', async () => {
      const { pleg, podRelist, events, clock, seen } = created();
      events.failWith = new KubeletError('unknown method GetContainerEvents', { code: 'unimplemented' });
      await pleg.start();
      await clock.advance(1000);
      podRelist.change('p', 'c', 'running');
      await clock.advance(1000);
      expect(seen).toHaveLength(1);
      expect(events.opened).toBe(1);
      await clock.advance(1_000_000);
      expect(events.opened).toBe(4);
    });

    it('at once when the runtime ends each stream without an event', async () => {
      const { pleg, events, clock } = created();
      events.endsAtOnce = true;
      await pleg.start();
      await clock.advance(100_000);
      expect(events.opened).toBe(1);
    });

    it('but sooner when the runtime was away and answers again', async () => {
      const { pleg, podRelist, events, clock } = created();
      events.failWith = new KubeletError('unknown method GetContainerEvents', { code: 'unimplemented' });
      await pleg.start();
      await clock.advance(10_000);
      podRelist.failing = true;
      await clock.advance(10_000);
      events.failWith = undefined;
      podRelist.failing = false;
      await clock.advance(2_000);
      expect([events.opened, events.openStreams]).toEqual([2, 1]);
    });

    it('when a second stream stalls in that time', async () => {
      const { pleg, podRelist, events, clock, change } = await relying();
      for (const id of ['d', 'e']) {
        await change('p', id, 'running');
        events.stallStreams();
        podRelist.change('p', id, 'exited');
        pleg.requestRelist('p');
        await clock.advance(30_000);
      }
      expect([events.opened, events.openStreams, pleg.streamState]).toEqual([2, 0, 'down']);
      await clock.advance(290_000);
      expect([events.opened, events.openStreams]).toEqual([3, 1]);
    });
  });

  it('closes its stream and reports nothing more when it stops, however often', async () => {
    const { pleg, events, clock, seen, change } = await relying();
    await Promise.all([pleg.stop(), pleg.stop()]);
    const before = seen.length;
    await change('p', 'c', 'exited');
    pleg.requestRelist('p');
    await clock.advance(100_000);
    expect([seen.length, events.opened, events.openStreams]).toEqual([before, 1, 0]);
    expect(pleg.vouch('p', 0)).toBe(false);
  });
}
