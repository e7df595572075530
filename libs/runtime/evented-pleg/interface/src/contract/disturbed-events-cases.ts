import { expect, it } from '@podwright/contract';
import type { RuntimeContainerState } from '@podwright/container-runtime-interface';
import { KubeletError } from '@podwright/errors';
import type { ContractPlegs, PlegOfCase } from './contract-pleg.js';

type Change = readonly [podUid: string, containerId: string, state: RuntimeContainerState | 'gone'];

/** Faults of the event stream. Each function makes the changes and lets the runtime report them with that fault. */
const faults: Readonly<Record<string, (given: PlegOfCase, changes: readonly Change[]) => Promise<void> | void>> = {
  lost: (given, changes) => {
    make(given, changes);
    given.events.tell('p', 'second', 'running'); // all other events are lost
  },
  doubled: (given, changes) => {
    make(given, changes);
    tell(given, [...changes, ...changes]);
  },
  reordered: (given, changes) => {
    make(given, changes);
    tell(given, [...changes].reverse());
  },
  late: async (given, changes) => {
    make(given, changes);
    await given.clock.advance(100_000);
    tell(given, changes);
  },
  stalled: (given, changes) => {
    given.events.stallStreams();
    make(given, changes);
    tell(given, changes);
  },
  'cut off by a restart of the runtime': async (given, changes) => {
    const { podRelist, events, clock } = given;
    podRelist.failing = true;
    events.failWith = new KubeletError('connection refused', { code: 'unavailable' });
    events.breakStreams();
    await clock.advance(5000);
    make(given, changes);
    podRelist.failing = false;
    events.failWith = undefined;
  },
};

/** How long the stream has been open at the first event. */
const settledMs = { 'the stream has not settled': 0, 'events are relied upon': 20_000 } as const;

type Row = readonly [fault: string, when: keyof typeof settledMs];
const rows = (Object.keys(settledMs) as Row[1][]).flatMap((when) =>
  Object.keys(faults).map((fault): Row => [fault, when]),
);

/** Whatever fault the events have, the pleg reports each change once, and the cache shows the runtime's true state. */
export function disturbedEventsCases({ created }: ContractPlegs): void {
  it.each(rows)('misses nothing and invents nothing when events are %s while %s', async (fault, when) => {
    const given = created();
    const { pleg, podRelist, clock, seen, change } = given;
    await pleg.start();
    await clock.advance(settledMs[when]);
    await change('p', 'first', 'running');
    await clock.advance(1000);
    await change('q', 'other', 'running');
    await clock.advance(1000);
    await faults[fault]?.(given, [
      ['p', 'first', 'exited'],
      ['p', 'second', 'running'],
      ['p', 'brief', 'running'],
      ['p', 'brief', 'exited'],
      ['q', 'other', 'gone'],
    ]);
    await clock.advance(310_000);
    const cached = podRelist.cache.get('p').containers.map(({ id, state }) => `${id} ${state}`);
    expect(cached).toEqual(['first exited', 'second running', 'brief exited']);
    expect(podRelist.cache.get('q').containers).toEqual([]);
    await change('p', 'second', 'exited');
    await clock.advance(60_000); // longest delay of a change: the periodic relist finds it even on a stalled stream
    await pleg.stop();
    const reported = (podUid: string): string[] =>
      seen.flatMap((event) =>
        event.podUid === podUid && event.type !== 'PodSync' ? [`${event.type} ${event.containerId}`] : [],
      );
    // No relist has shown the container `brief` while it ran.
    expect(reported('p').sort()).toEqual([
      'ContainerDied brief',
      'ContainerDied first',
      'ContainerDied second',
      'ContainerStarted first',
      'ContainerStarted second',
    ]);
    expect(reported('q')).toEqual(['ContainerStarted other', 'ContainerDied other', 'ContainerRemoved other']);
  });
}

function make({ podRelist }: PlegOfCase, changes: readonly Change[]): void {
  for (const change of changes) podRelist.change(...change);
}

function tell({ events }: PlegOfCase, changes: readonly Change[]): void {
  for (const change of changes) events.tell(...change);
}
