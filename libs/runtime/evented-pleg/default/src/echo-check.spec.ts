import { describe, expect, it } from '@jest/globals';
import { relying } from './fixtures/event-harness.js';

describe('a stream of events that has stalled', () => {
  it('is told of with the change that it has not told', async () => {
    const { podRelist, pleg, clock, logger } = await relying();
    podRelist.change('p', 'c', 'exited');
    pleg.requestRelist('p');
    await clock.advance(10_000);
    const [last] = logger.entries.slice(-1);
    expect(last?.message).toContain('stream of container events ended');
    expect(String(last?.fields['error'])).toContain('container c of pod p');
    await pleg.stop();
  });
});
