import { describe, expect, it } from '@podwright/contract';
import type { ContractPlegs } from './contract-pleg.js';

/** Cases about {@link CacheVouching}: when a pleg may vouch for the cache without a relist. */
export function vouchingCases({ created, relying }: ContractPlegs): void {
  describe('vouches for a pod', () => {
    it('in which nothing has happened since its sync, once a stall since then would have been noticed', async () => {
      const { podRelist, pleg, clock } = await relying();
      const settledAtMs = clock.monotonic();
      expect(pleg.vouch('p', settledAtMs)).toBe(false);
      await clock.advance(10_001);
      expect(pleg.vouch('p', settledAtMs)).toBe(true);
      expect([podRelist.relists, podRelist.vouched]).toEqual([[], ['p']]);
      expect(pleg.vouch('p', clock.monotonic())).toBe(false);
      expect(podRelist.vouched).toEqual(['p']);
    });

    it('not if no relist has shown it, or its inspection failed', async () => {
      const { podRelist, pleg, clock } = await relying();
      await clock.advance(20_000);
      expect(pleg.vouch('unknown', 0)).toBe(false);
      podRelist.unsettled.add('p');
      expect(pleg.vouch('p', 0)).toBe(false);
      podRelist.unsettled.delete('p');
      expect(pleg.vouch('p', 0)).toBe(true);
    });

    it('not after an event that no relist confirms, until one does', async () => {
      const { podRelist, events, pleg, clock, change } = await relying();
      await clock.advance(10_000);
      events.tell('p', 'new', 'running');
      await clock.advance(0);
      expect(pleg.vouch('p', 0)).toBe(false);
      podRelist.change('other', 'd', 'running');
      await change('p', 'new', 'running');
      await clock.advance(5_000);
      expect(pleg.vouch('p', 0)).toBe(true);
    });

    it('not unless the stream is proven', async () => {
      const { pleg, events, clock, change } = created();
      expect(pleg.vouch('p', 0)).toBe(false);
      await pleg.start();
      await change('p', 'c', 'created');
      await clock.advance(20_000);
      expect([pleg.streamState, pleg.vouch('p', 0)]).toEqual(['unproven', false]);
      await change('p', 'c', 'running');
      await clock.advance(12_000);
      expect([pleg.streamState, pleg.vouch('p', 0)]).toEqual(['proven', true]);
      events.breakStreams();
      await clock.advance(0);
      expect([pleg.streamState, pleg.vouch('p', 0)]).toEqual(['down', false]);
      await clock.advance(20_000);
      expect([pleg.streamState, pleg.vouch('p', 0)]).toEqual(['unproven', false]);
      await change('p', 'c', 'exited');
      await clock.advance(12_000);
      expect([pleg.streamState, pleg.vouch('p', 0)]).toEqual(['proven', true]);
    });

    it('not after the event of a change was lost and a relist has found it, until a new stream has proved right', async () => {
      const { pleg, podRelist, clock, change } = await relying();
      await change('q', 'd', 'running');
      await clock.advance(20_000);
      podRelist.change('p', 'c', 'exited'); // without an event
      pleg.requestRelist('p');
      await clock.advance(10_000);
      expect([pleg.vouch('p', 0), pleg.vouch('q', 0)]).toEqual([false, false]);
      await clock.advance(10_000);
      expect([pleg.streamState, pleg.vouch('q', 0)]).toEqual(['unproven', false]);
      await change('q', 'd', 'exited');
      await clock.advance(12_000);
      expect([pleg.vouch('p', 0), pleg.vouch('q', 0)]).toEqual([true, true]);
    });

    it('and finds within a minute what an event that was lost would have reported, however often it is asked', async () => {
      const { pleg, podRelist, clock, seen } = await relying();
      await clock.advance(20_000);
      podRelist.change('p', 'c', 'exited');
      const before = seen.length;
      for (let second = 0; second < 60; second++) {
        pleg.vouch('p', 0);
        await clock.advance(1000);
      }
      expect(podRelist.vouched.length).toBeGreaterThan(0);
      expect(seen.slice(before)).toEqual([{ type: 'ContainerDied', podUid: 'p', containerId: 'c' }]);
    });
  });
}
