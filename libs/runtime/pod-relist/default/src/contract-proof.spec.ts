import { breaksIn, describeContractProof } from '@podwright/contract';
import type { PodLifecycleEvent } from '@podwright/pleg-interface';
import { describePodRelistContract } from '@podwright/pod-relist-interface/contract';
import type { PodRelistHarness } from '@podwright/pod-relist-interface/contract';
import type { PodRelist } from '@podwright/pod-relist-interface';
import { createContractHarness } from './fixtures/contract-harness.js';

type Broken = (good: PodRelistHarness) => Partial<PodRelistHarness>;
type Tell = (event: PodLifecycleEvent) => void;

const broken = (replaced: (good: PodRelist, harness: PodRelistHarness) => Partial<PodRelist>): Broken =>
  breaksIn('podRelist', replaced);

/** One that does something else with what it would tell. */
const telling = (change: (event: PodLifecycleEvent, tell: Tell) => void): Broken =>
  broken((good) => ({ watch: (listener) => good.watch((event) => change(event, listener)) }));

const leavesTimer: Broken = () => ({ pendingTimers: () => 1 });

describeContractProof(
  'PodRelist',
  (create) => describePodRelistContract('a broken PodRelist', create),
  createContractHarness,
  {
    'does not relist by itself': {
      'it relists when it starts': broken((good) => ({ start: () => good.start().then(() => good.relist()) })),
      'it relists a little later': ({ podRelist, settle }) => ({
        settle: async () => {
          await podRelist.relist();
          await settle();
        },
      }),
      'it tells of pods that it never saw': broken(() => ({
        pods: () => [{ uid: 'p', name: 'p', namespace: 'default', containers: [], sandboxes: [] }],
      })),
    },
    'tells what has changed since the last relist, once': {
      'each event comes twice': telling((event, tell) => [event, event].forEach(tell)),
      'no death is told': telling((event, tell) => (event.type === 'ContainerDied' ? undefined : tell(event))),
      'it tells the same at each relist': (good) => {
        const told: (() => void)[] = [];
        return broken((whole) => ({
          watch: (listener) =>
            whole.watch((event) => {
              told.push(() => listener(event));
              listener(event);
            }),
          relist: async () => {
            const before = [...told];
            await whole.relist();
            before.forEach((repeat) => repeat());
          },
        }))(good);
      },
    },
    'has written the cache before it tells': {
      'it writes afterwards': breaksIn('cache', (cache) => {
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
    'shows pods as the newest relist showed them': {
      'it shows pods as the first relist showed them': broken((good) => {
        let first: ReturnType<PodRelist['pod']>;
        return { pod: (podUid) => (podUid === 'p' ? (first ??= good.pod('p')) : good.pod(podUid)) };
      }),
      'it relists when it is asked': broken((good, { settle }) => ({
        pod: (podUid) => {
          const { containers: [container] = [], ...pod } = good.pod(podUid) ?? {};
          void settle();
          if (container === undefined) return undefined;
          return {
            uid: 'p',
            name: '',
            namespace: '',
            sandboxes: [],
            ...pod,
            containers: [{ ...container, state: 'exited' }],
          };
        },
      })),
      'it keeps pods that are gone': broken((good) => {
        const seen = new Map<string, ReturnType<PodRelist['pod']>>();
        return {
          pods: () => good.pods().map((pod) => (seen.set(pod.uid, pod), pod)),
          pod: (podUid) => good.pod(podUid) ?? seen.get(podUid),
        };
      }),
      'it shows one pod only': broken((good) => ({ pods: () => good.pods().slice(0, 1) })),
    },
    'relists one pod on demand and leaves the others': {
      'it relists all': broken((good) => ({ requestRelist: () => void good.relist() })),
      'it does not relist on demand': broken(() => ({ requestRelist: () => undefined })),
    },
    'is content with a relist that is as new as it is asked for': {
      'it relists all the same': broken((good) => ({ requestRelist: (podUid) => good.requestRelist(podUid) })),
      'it relists for nobody who says how new': broken((good) => ({
        requestRelist: (podUid, options) => {
          if (options?.newerThanMs === undefined) good.requestRelist(podUid, options);
        },
      })),
    },
    'rejects when the runtime cannot list, and tells afterwards what it missed': {
      'a relist never rejects': broken((good) => ({ relist: () => good.relist().catch(() => undefined) })),
      'it loses what it missed': (good) => {
        let failed = false;
        return {
          ...telling((event, tell) => (failed ? undefined : tell(event)))(good),
          failLists: (failing) => {
            failed = true;
            good.failLists(failing);
          },
        };
      },
    },
    'tells that a relist on demand has failed': {
      'nobody is told': broken(() => ({ watchFailures: () => () => undefined })),
    },
    'keeps the events of a pod back until its inspection works, and says that it is not settled': {
      'it overlooks the failure': () => ({ failInspections: () => undefined }),
      'all pods are settled': broken(() => ({ unsettled: new Set<string>() })),
      'a pod is never settled again': broken(() => ({ unsettled: new Set(['p']) })),
      'nobody is told of the failure': broken(() => ({ watchFailures: () => () => undefined })),
      'the cache does not show it': breaksIn('cache', (cache) => {
        const empty = cache.get('p');
        return {
          get: () => {
            try {
              return cache.get('p');
            } catch {
              return empty; // instead of the error
            }
          },
        };
      }),
      'the events are lost': telling((event, tell) => (event.type === 'ContainerDied' ? undefined : tell(event))),
    },
    'vouches for what it knows, without a relist, and for nothing else': {
      'it vouches for pods that it never saw': broken((good) => ({
        vouch: (podUid) => good.vouch(podUid) || good.pod(podUid) === undefined,
      })),
      'it vouches for none': broken(() => ({ vouch: () => false })),
      'it relists in order to vouch': broken((good) => ({
        vouch: (podUid) => {
          const knows = good.vouch(podUid);
          if (knows) good.requestRelist(podUid);
          return knows;
        },
      })),
      'it vouches for a pod that is not settled': broken((good) => ({
        vouch: (podUid) => good.vouch(podUid) || good.unsettled.has(podUid),
      })),
    },
    'can be stopped before it was started, and twice': {
      'a second stop is refused': breaksIn('podRelist', (good) => {
        let stops = 0;
        return { stop: () => (stops++ === 0 ? good.stop() : Promise.reject(new Error('stopped already'))) };
      }),
      'a timer is left': leavesTimer,
    },
  },
);
