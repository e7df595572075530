import { describe, expect, it } from '@jest/globals';
import { AsyncQueue } from '@podwright/concurrency';
import type { RuntimeContainerState } from '@podwright/container-runtime-interface';
import { ContainerEventType } from '@podwright/cri-client-interface';
import type { ContainerEventResponse, RuntimeService } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import { createMemoryLogger, type MemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import type { PodLifecycleEvent } from '@podwright/pleg-interface';
import { describePlegContract } from '@podwright/pleg-interface/contract';
import { ScriptedPodRelist } from '@podwright/pod-relist-interface/contract';
import { abortReason, VirtualClock } from '@podwright/time';
import { createEventedPleg, type EventedPleg } from './evented-pleg.js';
import type { EventedPlegConfig } from './evented-pleg-config.js';

const eventTypes: Readonly<Record<RuntimeContainerState | 'gone', ContainerEventType>> = {
  created: ContainerEventType.CONTAINER_CREATED_EVENT,
  running: ContainerEventType.CONTAINER_STARTED_EVENT,
  exited: ContainerEventType.CONTAINER_STOPPED_EVENT,
  unknown: ContainerEventType.UNRECOGNIZED,
  gone: ContainerEventType.CONTAINER_DELETED_EVENT,
};

/** A runtime with a stream of events that a spec can break. */
class FakeEvents {
  opened = 0;
  /** Streams that begin now fail with it. */
  failWith: KubeletError | undefined;
  private readers = new Set<AsyncQueue<ContainerEventResponse>>();

  readonly getContainerEvents: RuntimeService['getContainerEvents'] = (_request, { signal } = {}) => this.read(signal);

  /** The sandbox of each pod is called `s`. */
  tell(podUid: string | undefined, containerId: string, state: RuntimeContainerState | 'gone'): void {
    const metadata = { uid: podUid ?? '', name: '', namespace: '', attempt: 0 };
    const event = {
      containerId,
      containerEventType: eventTypes[state],
      createdAt: 0n,
      podSandboxStatus: podUid === undefined ? undefined : { id: 's', metadata },
      containersStatuses: [],
    } as unknown as ContainerEventResponse;
    for (const reader of this.readers) reader.push(event);
  }
  breakStreams(): void {
    for (const reader of this.readers) reader.close();
  }
  get readerCount(): number {
    return this.readers.size;
  }
  private async *read(signal: AbortSignal | undefined): AsyncGenerator<ContainerEventResponse, void, undefined> {
    this.opened++;
    if (this.failWith !== undefined) throw this.failWith;
    const reader = new AsyncQueue<ContainerEventResponse>({ capacity: 100, whenFull: 'drop-oldest' });
    this.readers.add(reader);
    try {
      for (;;) {
        const { done, value } = await reader.next(signal);
        if (done === true) return;
        yield value;
      }
    } catch (error) {
      throw signal?.aborted === true ? abortReason(signal) : error;
    } finally {
      this.readers.delete(reader);
    }
  }
}

interface Setup {
  readonly clock: VirtualClock;
  readonly podRelist: ScriptedPodRelist;
  readonly events: FakeEvents;
  readonly pleg: EventedPleg;
  readonly seen: PodLifecycleEvent[];
  readonly logger: MemoryLogger;
  readonly metrics: ReturnType<typeof createMetricsRegistry>;
  /** Changes the runtime and tells an event of it. */
  change(podUid: string, containerId: string, state: RuntimeContainerState | 'gone'): Promise<void>;
}

function setUp(options: Partial<EventedPlegConfig> = {}): Setup {
  const clock = new VirtualClock();
  const podRelist = new ScriptedPodRelist();
  const events = new FakeEvents();
  const logger = createMemoryLogger(4);
  const metrics = createMetricsRegistry();
  const runtime = events as unknown as RuntimeService;
  const pleg = createEventedPleg({ podRelist, runtime, clock, logger, metrics }, options);
  const seen: PodLifecycleEvent[] = [];
  pleg.watch((event) => seen.push(event));
  const change = async (podUid: string, id: string, state: RuntimeContainerState | 'gone'): Promise<void> => {
    podRelist.change(podUid, id, state);
    events.tell(podUid, id, state);
    await clock.advance(1);
  };
  return { clock, podRelist, events, pleg, seen, logger, metrics, change };
}

/** A pleg that relies on events, with a running container `c` of pod `p`. */
async function relying(options: Partial<EventedPlegConfig> = {}): Promise<Setup> {
  const setup = setUp(options);
  await setup.pleg.start();
  await setup.clock.advance(5000);
  await setup.change('p', 'c', 'running');
  await setup.clock.advance(2000);
  setup.podRelist.looks.length = 0;
  return setup;
}

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

  it('does not look when a sandbox has started, but when it has ended', async () => {
    const { podRelist, events, pleg, clock } = await relying();
    events.tell('q', 's', 'running');
    await clock.advance(20_000);
    expect(podRelist.looks).toEqual([]);
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

  it('relists each second when the stream breaks, and relies on events again later', async () => {
    const { podRelist, events, pleg, clock, seen, change } = await relying();
    events.breakStreams();
    podRelist.change('p', 'c', 'exited');
    await clock.advance(0);
    expect(seen.at(-1)?.type).toBe('ContainerDied');
    await clock.advance(10_000);
    expect(events.opened).toBe(2);
    await change('p', 'd', 'running');
    await clock.advance(2000);
    podRelist.looks.length = 0;
    await clock.advance(50_000);
    expect(podRelist.looks).toEqual([]);
    await pleg.stop();
  });

  it('waits with a new stream until the runtime answers again', async () => {
    const { podRelist, events, pleg, clock } = await relying();
    podRelist.failing = true;
    events.failWith = new KubeletError('connection refused', { code: 'unavailable' });
    events.breakStreams();
    await clock.advance(100_000);
    expect(events.opened).toBe(1);
    podRelist.failing = false;
    events.failWith = undefined;
    await clock.advance(2000);
    expect(events.opened).toBe(2);
    await pleg.stop();
  });

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
    expect([events.opened, events.readerCount]).toEqual([6, 1]);
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
