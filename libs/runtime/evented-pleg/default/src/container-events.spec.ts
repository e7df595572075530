import { describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { ScriptedContainerEvents } from '@podwright/evented-pleg-interface/contract';
import { VirtualClock } from '@podwright/time';
import { ContainerEvents } from './container-events.js';
import { setUp } from './fixtures/event-harness.js';

describe('streams of events that end', () => {
  it('gives events up for a while after five streams without use, and tells why', async () => {
    const { events, pleg, clock, logger, metrics } = setUp();
    events.failWith = new KubeletError('stream is broken', { code: 'internal' });
    await pleg.start();
    await clock.advance(60_000);
    expect(events.opened).toBe(5);
    const told = logger.entries.filter(({ message }) => message.includes('keep failing'));
    expect(told).toHaveLength(1);
    expect(await metrics.render()).toContain('kubelet_evented_pleg_connection_error_count 5');
    events.failWith = undefined;
    await clock.advance(300_000);
    expect([events.opened, events.openStreams]).toEqual([6, 1]);
    await pleg.stop();
  });

  it('tells once that the runtime has no events, asks again later and works meanwhile', async () => {
    const { podRelist, events, pleg, clock, logger, seen } = setUp();
    events.failWith = new KubeletError('unknown method GetContainerEvents', { code: 'unimplemented' });
    await pleg.start();
    await clock.advance(1000);
    podRelist.change('p', 'c', 'running');
    await clock.advance(1000);
    expect(seen).toHaveLength(1);
    await clock.advance(1_000_000);
    expect(events.opened).toBe(4);
    expect(logger.entries.filter(({ message }) => message.includes('no container events:'))).toHaveLength(1);
    expect(logger.entries.filter(({ severity }) => severity === 'warning' || severity === 'error')).toEqual([]);
    await pleg.stop();
  });
});

describe('ContainerEvents', () => {
  it('opens the next stream after a second, doubles the pauses up to half a minute, and begins anew after a stream that worked', async () => {
    const clock = new VirtualClock();
    const runtime = new ScriptedContainerEvents();
    runtime.failWith = new KubeletError('stream is broken', { code: 'unavailable' });
    const openedMs: number[] = [];
    const events = new ContainerEvents(
      {
        runtime,
        clock,
        untilAnswers: () => Promise.resolve(),
        untilBack: () => new Promise(() => undefined),
        onOpen: () => openedMs.push(clock.monotonic()),
        onEvent: () => undefined,
        onEnd: () => undefined,
      },
      { maxStreamFailures: 100, returnAfterMs: 1 },
    );
    const stopping = new AbortController();
    const running = events.run(stopping.signal);
    const pausesMs = (): number[] => openedMs.slice(1).map((atMs, index) => atMs - (openedMs[index] ?? 0));
    await clock.advance(91_000);
    expect(pausesMs()).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    events.worked();
    await clock.advance(30_000 + 1000);
    expect(pausesMs().slice(-2)).toEqual([30_000, 1000]);
    stopping.abort();
    await running;
  });
});
