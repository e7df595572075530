import { expect } from '@podwright/contract';
import type { RuntimeContainerState } from '@podwright/container-runtime-interface';
import type { Pleg, PodLifecycleEvent, RelistControl } from '@podwright/pleg-interface';
import { ScriptedPodRelist } from '@podwright/pod-relist-interface/contract';
import { VirtualClock } from '@podwright/time';
import type { CacheVouching } from '../cache-vouching.js';
import type { EventStream } from '../event-stream.js';
import type { RuntimeView } from '../runtime-view.js';
import { ScriptedContainerEvents } from './scripted-container-events.js';

/** All interfaces of an evented pleg. */
export type EventedPlegRoles = Pleg & RelistControl & EventStream & RuntimeView & CacheVouching;

/** The dependencies of a case's pleg: a clock that only the case moves, a runtime in memory, and its event streams. */
export interface EventedPlegEnvironment {
  readonly clock: VirtualClock;
  readonly podRelist: ScriptedPodRelist;
  readonly events: ScriptedContainerEvents;
}

/** The pleg of one case, and the means to drive it. */
export interface PlegOfCase extends EventedPlegEnvironment {
  readonly pleg: EventedPlegRoles;
  /** The events that the pleg has reported. */
  readonly seen: readonly PodLifecycleEvent[];
  /** Changes the runtime, which reports it as an event. */
  change(podUid: string, containerId: string, state: RuntimeContainerState | 'gone'): Promise<void>;
}

/** Creates the pleg of each case; after the case, stops it and checks that no timer or stream is left. */
export class ContractPlegs {
  private readonly made: PlegOfCase[] = [];

  constructor(private readonly create: (environment: EventedPlegEnvironment) => EventedPlegRoles) {}

  readonly created = (): PlegOfCase => {
    const [clock, podRelist, events] = [new VirtualClock(), new ScriptedPodRelist(), new ScriptedContainerEvents()];
    const pleg = this.create({ clock, podRelist, events });
    const seen: PodLifecycleEvent[] = [];
    pleg.watch((event) => seen.push(event));
    const change: PlegOfCase['change'] = (podUid, containerId, state) => {
      podRelist.change(podUid, containerId, state);
      events.tell(podUid, containerId, state);
      return clock.advance(1);
    };
    const made = { clock, podRelist, events, pleg, seen, change };
    this.made.push(made);
    return made;
  };

  /** A pleg with a `proven` stream, and a running container `c` of pod `p`; its record of relists is empty. */
  readonly relying = async (): Promise<PlegOfCase> => {
    const made = this.created();
    await made.pleg.start();
    await made.clock.advance(5000);
    await made.change('p', 'c', 'running');
    await made.clock.advance(2000);
    expect(made.pleg.streamState).toBe('proven');
    made.podRelist.relists.length = 0;
    return made;
  };

  async stopAll(): Promise<void> {
    for (const { pleg, clock, events } of this.made.splice(0)) {
      await pleg.stop();
      expect([clock.pendingTimers, events.openStreams]).toEqual([0, 0]);
    }
  }
}
