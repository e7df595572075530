import { describe, expect, it } from '@jest/globals';
import { relying } from './fixtures/event-bench.js';

describe('EventedPleg for those who ask patiently', () => {
  it('vouches for a pod in which nothing has happened since it went well, instead of looking at it again', async () => {
    const { podRelist, events, pleg, clock, change } = await relying();
    const settledAtMs = clock.monotonic();
    const sync = (podUid = 'p'): void => pleg.requestRelist(podUid, { patient: true, settledAtMs });
    sync(); // the stream may just have stalled
    expect([podRelist.looks.splice(0), podRelist.vouched]).toEqual([['p'], []]);
    await clock.advance(10_001);
    sync();
    expect([podRelist.looks, podRelist.vouched]).toEqual([[], ['p']]);
    sync('unknown');
    pleg.requestRelist('p', { patient: true });
    pleg.requestRelist('p', { settledAtMs });
    expect(podRelist.looks.splice(0)).toEqual(['unknown', 'p', 'p']);
    events.tell('p', 'new', 'running'); // which no look shows yet
    await clock.advance(0);
    podRelist.looks.length = 0;
    sync();
    expect(podRelist.looks).toEqual(['p']);
    await change('p', 'new', 'running');
    await clock.advance(5_000);
    podRelist.looks.length = 0;
    sync();
    expect(podRelist.looks).toEqual([]);
    events.breakStreams();
    await clock.advance(3_500); // a new stream, that has not proved anything
    podRelist.looks.length = 0;
    sync();
    expect(podRelist.vouched).toEqual(['p', 'p']);
    await pleg.stop();
  });
});
