import { describe, expect, it } from '@jest/globals';
import { relying } from './fixtures/event-bench.js';

describe('a stream of events that may have stalled', () => {
  it('takes a stream that does not tell what a look found for stalled, and reads a new one', async () => {
    const { podRelist, events, pleg, clock, logger } = await relying();
    podRelist.change('p', 'c', 'exited');
    pleg.requestRelist('p'); // as a sync does after its work
    expect(events.opened).toBe(1);
    await clock.advance(9_000);
    expect(events.opened).toBe(1);
    await clock.advance(1_000);
    expect(logger.entries.at(-1)?.message).toContain('stream of container events ended');
    podRelist.looks.length = 0;
    await clock.advance(1_000);
    expect(podRelist.looks.length).toBeGreaterThan(0);
    await clock.advance(5_000);
    expect([events.opened, events.readerCount]).toEqual([2, 1]);
    await pleg.stop();
  });

  it('takes no stream for stalled that tells the steps of a container in the wrong order', async () => {
    const { podRelist, events, pleg, clock } = await relying();
    for (const state of ['exited', 'running', 'created'] as const) events.tell('p', 'd', state);
    await clock.advance(1);
    podRelist.change('p', 'd', 'exited');
    pleg.requestRelist('p');
    await clock.advance(30_000);
    expect(events.opened).toBe(1);
    await pleg.stop();
  });

  it.each([
    ['goes on with a stream that told its creation', 'created', 1],
    ['opens another one when nothing was told of it', undefined, 2],
    ['opens another one when its start was told', 'running', 2],
  ] as const)('a container has ended that no look has shown running: %s', async (_what, told, opened) => {
    const { podRelist, events, pleg, clock } = await relying();
    if (told !== undefined) events.tell('p', 'd', told);
    await clock.advance(1);
    podRelist.change('p', 'd', 'exited');
    pleg.requestRelist('p');
    await clock.advance(30_000);
    expect(events.opened).toBe(opened);
    await pleg.stop();
  });
});
