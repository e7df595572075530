import { describe, expect, it } from '@podwright/contract';
import type { ContractPlegs } from './contract-pleg.js';

/** Cases about the events of a working stream. */
export function eventCases({ created, relying }: ContractPlegs): void {
  describe('events', () => {
    it('relists a pod at once, and no other', async () => {
      const { podRelist, seen, change } = await relying();
      await change('p', 'c', 'exited');
      expect(podRelist.relists).toEqual(['p']);
      expect(seen.at(-1)).toEqual({ type: 'ContainerDied', podUid: 'p', containerId: 'c' });
    });

    it('relists nothing for what it knows: doubled, late and old events', async () => {
      const { podRelist, events, seen, clock, change } = await relying();
      events.tell('p', 'c', 'running');
      events.tell('p', 'c', 'created');
      await change('p', 'c', 'exited');
      events.tell('p', 'c', 'exited');
      events.tell('p', 'c', 'running');
      events.tell('gone-long-ago', 'x', 'gone');
      await clock.advance(50_000);
      expect(podRelist.relists).toEqual(['p']);
      expect(seen).toHaveLength(2);
    });

    it('relists a pod again when the runtime reports a change before its lists show it, and not for ever', async () => {
      const { podRelist, events, seen, clock } = await relying();
      events.tell('p', 'c', 'exited');
      await clock.advance(0);
      podRelist.change('p', 'c', 'exited');
      await clock.advance(10_000);
      expect(seen.at(-1)).toEqual({ type: 'ContainerDied', podUid: 'p', containerId: 'c' });
      events.tell('q', 'never-there', 'running');
      await clock.advance(20_000);
      podRelist.relists.length = 0;
      await clock.advance(20_000);
      expect(podRelist.relists).toEqual([]);
    });

    it('finds the pod of an event that names none, and relists when it cannot', async () => {
      const { podRelist, events, clock } = await relying();
      podRelist.change('p', 'c', 'exited');
      events.tell(undefined, 'c', 'exited');
      await clock.advance(0);
      expect(podRelist.relists).toEqual(['p']);
      events.tell(undefined, 'unheard-of', 'running');
      await clock.advance(1000);
      expect(podRelist.relists).toEqual(['p', '*']);
    });

    it('relists a pod on request, also for the patient, who otherwise have the relist of the next second', async () => {
      const { pleg, podRelist, clock } = created();
      await pleg.start();
      await clock.advance(1500);
      pleg.requestRelist('p', { patient: true });
      expect(podRelist.relists).not.toContain('p');
      pleg.requestRelist('p');
      expect(podRelist.relists).toContain('p');
      await clock.advance(5000);
      pleg.requestRelist('q', { patient: true });
      expect(podRelist.relists).not.toContain('q');
      await clock.advance(1000);
      expect(podRelist.relists).toContain('q');
    });

    it('relists all within a second or two after the relist of a pod has failed', async () => {
      const { podRelist, clock, seen, change } = await relying();
      podRelist.failing = true;
      await change('p', 'c', 'exited');
      await clock.advance(5000);
      podRelist.failing = false;
      await clock.advance(1500);
      expect(seen.at(-1)?.type).toBe('ContainerDied');
      podRelist.relists.length = 0;
      await clock.advance(50_000);
      expect(podRelist.relists).toEqual([]);
    });
  });

  describe('relists', () => {
    it('each second until a stream has settled, each ten until it has proved right, and then each minute', async () => {
      const { pleg, podRelist, clock, change } = created();
      const relistsIn = async (ms: number, first?: () => Promise<void>): Promise<number> => {
        podRelist.relists.length = 0;
        await first?.();
        await clock.advance(ms);
        return podRelist.relists.filter((what) => what === '*').length;
      };
      expect([await relistsIn(1500, () => pleg.start()), pleg.streamState]).toEqual([2, 'down']);
      await clock.advance(3500);
      expect([await relistsIn(60_000), pleg.streamState]).toEqual([6, 'unproven']);
      await change('p', 'c', 'running');
      expect([await relistsIn(600_000), pleg.streamState]).toEqual([10, 'proven']);
    });

    it('find a change of which the event was lost within a minute', async () => {
      const { podRelist, clock, seen } = await relying();
      podRelist.change('p', 'c', 'exited');
      await clock.advance(60_000);
      expect(seen.at(-1)).toEqual({ type: 'ContainerDied', podUid: 'p', containerId: 'c' });
    });

    it('are what health goes by: the last is at most three minutes old, with events ten', async () => {
      const { podRelist, pleg, clock, events } = await relying();
      await clock.advance(290_000);
      expect(pleg.healthy()).toEqual({ ok: true });
      podRelist.failing = true;
      await clock.advance(500_000);
      expect(pleg.healthy()).toEqual({ ok: true });
      await clock.advance(110_000);
      expect(pleg.healthy()).toMatchObject({ ok: false });
      podRelist.failing = false;
      await clock.advance(2_000);
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
    });
  });
}
