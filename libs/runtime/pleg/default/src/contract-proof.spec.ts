import { breaks, breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import { describePlegContract } from '@podwright/pleg-interface/contract';
import type { PlegHarness } from '@podwright/pleg-interface/contract';
import type { Pleg, PodLifecycleEvent } from '@podwright/pleg-interface';
import { createContractHarness } from './fixtures/contract-harness.js';

const capabilities = { relists: true, inspects: true };
type Tell = (event: PodLifecycleEvent) => void;

/** A pleg that does something else with what it would tell. */
const telling = (
  change: (event: PodLifecycleEvent, tell: Tell) => void,
): ((good: PlegHarness) => Partial<PlegHarness>) =>
  breaksIn('pleg', (pleg) => ({ watch: (listener) => pleg.watch((event) => change(event, listener)) }));
const droppingAll = (type: PodLifecycleEvent['type']): ReturnType<typeof telling> =>
  telling((event, tell) => (event.type === type ? undefined : tell(event)));

/** A pleg that tells of a state when nothing is to be told. */
function inventing(state: string, when: 'started' | 'stopped'): (good: PlegHarness) => Partial<PlegHarness> {
  return (good) => {
    const listeners: Tell[] = [];
    let stopped = false;
    const watch: Pleg['watch'] = (listener) => {
      listeners.push(listener);
      return good.pleg.watch(listener);
    };
    const stop = (): Promise<void> => {
      stopped = true;
      return good.pleg.stop();
    };
    return {
      pleg: breaks(good.pleg, { watch, stop }),
      observe: async (podUid, containerId, seen) => {
        await good.observe(podUid, containerId, seen);
        if (seen !== state || stopped !== (when === 'stopped')) return;
        for (const tell of listeners) tell({ type: 'ContainerChanged', podUid, containerId });
      },
    };
  };
}

const neverUnknown = breaksIn<PlegHarness, 'cache'>('cache', (cache) => {
  let last = cache.get('');
  return {
    get: (podUid) => {
      const status = cache.get(podUid);
      if (status.containers.length > 0) last = status;
      return last;
    },
  };
});

describeContractProof(
  'Pleg',
  (create) => describePlegContract('a broken Pleg', capabilities, create),
  createContractHarness,
  {
    'can be stopped before it was started, and twice': {
      'a second stop is refused': refusesSecondStop('pleg'),
      'its health cannot be asked for before the start': breaksIn('pleg', () => ({
        healthy: () => {
          throw new Error('not started');
        },
      })),
      'a timer is left': () => ({ pendingTimers: () => 1 }),
    },
    'leaves nothing running after stop, and tells nothing more': {
      'stop does nothing': breaksIn('pleg', () => ({ stop: () => Promise.resolve() })),
      'it tells of what comes after the stop': inventing('exited', 'stopped'),
    },
    'tells the start and the death of a container once each': {
      'each event comes twice': telling((event, tell) => [event, event].forEach(tell)),
      'no death is told': droppingAll('ContainerDied'),
      'no start is told': droppingAll('ContainerStarted'),
    },
    'does not tell that a container was created': {
      'it does': inventing('created', 'started'),
    },
    'tells death and removal when a running container vanishes': {
      'no death is told': droppingAll('ContainerDied'),
      'no removal is told': droppingAll('ContainerRemoved'),
    },
    'has the status in the cache before it tells the event': {
      'the cache is one look behind': breaksIn('cache', (cache) => {
        let shown = cache.get('p');
        return {
          get: (podUid) => {
            const before = shown;
            shown = cache.get(podUid);
            return before;
          },
        };
      }),
    },
    'takes a pod that is gone out of the cache': {
      'it keeps the last status': neverUnknown,
      'it writes no status': breaksIn('cache', (cache) => ({ get: () => cache.get('unknown') })),
    },
    'keeps pods apart and tells every listener until it leaves': {
      'nobody can leave': breaksIn('pleg', (pleg) => ({
        watch: (listener) => {
          pleg.watch(listener);
          return () => undefined;
        },
      })),
      'only the first listener is told': breaksIn('pleg', (pleg) => {
        let listeners = 0;
        return { watch: (listener) => (listeners++ === 0 ? pleg.watch(listener) : () => undefined) };
      }),
      'all events are about one pod': telling((event, tell) => tell({ ...event, podUid: 'p' })),
    },
    'is not healthy before it has seen the runtime, and is after': {
      'it always is': breaksIn('pleg', () => ({ healthy: () => ({ ok: true }) })),
      'it never is': breaksIn('pleg', () => ({
        healthy: () => ({ ok: false, reason: 'pleg has yet to be successful' }),
      })),
    },
    'keeps the events of a pod back until its inspection works': {
      'they are told at once': () => ({ failInspections: () => Promise.resolve() }),
      'they are lost': (good) => {
        let failed = false;
        return {
          ...telling((event, tell) => (failed && event.podUid === 'p' ? undefined : tell(event)))(good),
          failInspections: async (podUid, failing) => {
            failed = true;
            await good.failInspections?.(podUid, failing);
          },
        };
      },
      'the cache does not show the failure': breaksIn('cache', (cache) => {
        let last = cache.get('p');
        return {
          get: () => {
            try {
              last = cache.get('p');
            } catch {
              return last; // of the relist before
            }
            return last;
          },
        };
      }),
      'the cache keeps the state from before': breaksIn('cache', (cache) => ({
        get: (podUid) => {
          const status = cache.get(podUid);
          return { ...status, containers: status.containers.map((each) => ({ ...each, state: 'running' })) };
        },
      })),
    },
    'misses no change and invents none %s': {
      'a death is missed': telling((event, tell) =>
        event.type === 'ContainerDied' && event.containerId === 'first' ? undefined : tell(event),
      ),
      'a start comes twice': telling((event, tell) => {
        tell(event);
        if (event.type === 'ContainerStarted') tell(event);
      }),
      'a removal is missed': droppingAll('ContainerRemoved'),
      'the cache misses a container': breaksIn('cache', (cache) => ({
        get: (podUid) => ({ ...cache.get(podUid), containers: cache.get(podUid).containers.slice(0, 1) }),
      })),
      'a pod that is gone stays in the cache': neverUnknown,
      'a timer is left': () => ({ pendingTimers: () => 1 }),
    },
  },
);
