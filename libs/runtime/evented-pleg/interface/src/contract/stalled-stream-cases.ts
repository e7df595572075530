import { describe, expect, it } from '@podwright/contract';
import type { ContractPlegs } from './contract-pleg.js';

/** Cases about open streams without events: the pleg must tell a stalled stream from an idle one. */
export function stalledStreamCases({ relying }: ContractPlegs): void {
  describe('a stream that may have stalled', () => {
    it('is replaced when it has not reported within ten seconds what a relist shows', async () => {
      const { pleg, podRelist, events, clock, change } = await relying();
      events.stallStreams();
      podRelist.change('p', 'c', 'exited');
      pleg.requestRelist('p'); // as a sync does after its work
      await clock.advance(9_000);
      expect([events.opened, pleg.streamState]).toEqual([1, 'proven']);
      await clock.advance(1_000);
      expect([pleg.streamState, pleg.pods()]).toEqual(['down', undefined]);
      podRelist.relists.length = 0;
      await clock.advance(1_000);
      expect(podRelist.relists).toContain('*');
      await clock.advance(5_000);
      expect([events.opened, events.openStreams]).toEqual([2, 1]);
      await change('p', 'd', 'running');
      await clock.advance(2_000);
      expect(pleg.streamState).toBe('proven');
    });

    it('is kept when the event comes within that time', async () => {
      const { pleg, podRelist, events, clock } = await relying();
      podRelist.change('p', 'c', 'exited');
      pleg.requestRelist('p');
      await clock.advance(9_000);
      events.tell('p', 'c', 'exited');
      await clock.advance(30_000);
      expect([events.opened, pleg.streamState]).toEqual([1, 'proven']);
    });

    it('is kept when it reports the steps of a container in the wrong order', async () => {
      const { pleg, podRelist, events, clock } = await relying();
      for (const state of ['exited', 'created', 'running'] as const) events.tell('p', 'd', state);
      await clock.advance(1);
      podRelist.change('p', 'd', 'exited');
      pleg.requestRelist('p');
      await clock.advance(30_000);
      expect([events.opened, pleg.streamState]).toEqual([1, 'proven']);
    });

    it('is kept on a node on which nothing happens', async () => {
      const { pleg, events, clock } = await relying();
      await clock.advance(3_600_000);
      expect([events.opened, pleg.streamState]).toEqual([1, 'proven']);
    });

    it.each([
      ['is kept when it has reported the creation', 'created', 1],
      ['is replaced when it has reported nothing', undefined, 2],
      ['is replaced when it has reported the start', 'running', 2],
    ] as const)(
      '%s of a container that no relist has shown running and that has ended',
      async (_what, told, opened) => {
        const { pleg, podRelist, events, clock } = await relying();
        if (told !== undefined) events.tell('p', 'd', told);
        await clock.advance(1);
        podRelist.change('p', 'd', 'exited');
        pleg.requestRelist('p');
        await clock.advance(30_000);
        expect(events.opened).toBe(opened);
      },
    );
  });
}
