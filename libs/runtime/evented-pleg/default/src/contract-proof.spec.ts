import { describeContractProof } from '@podwright/contract';
import { ContainerEventType } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import { describeEventedPlegContract } from '@podwright/evented-pleg-interface/contract';
import type { EventedPlegEnvironment, EventedPlegRoles } from '@podwright/evented-pleg-interface/contract';
import { configured, hearing, podOf, relisting, reporting, streaming, vouchingIf } from './fixtures/broken-plegs.js';
import type { BrokenPleg } from './fixtures/broken-plegs.js';
import { setUp } from './fixtures/event-harness.js';

const { CONTAINER_CREATED_EVENT, CONTAINER_STARTED_EVENT, CONTAINER_STOPPED_EVENT } = ContainerEventType;

const reportsNoDeath = reporting((event, report) => (event.type === 'ContainerDied' ? undefined : report(event)));
const reportsTwice = reporting((event, report) => [event, event].forEach(report));
const deafTo = (type: ContainerEventType): BrokenPleg =>
  hearing((event) => (event.containerEventType === type ? [] : [event]));
const noSafetyNet = configured({ eventedRelistPeriodMs: 1e8, eventedRelistThresholdMs: 1e9 });
const noStallCheck = configured({ echoTimeoutMs: 1e8 });
const slowWhenDown = configured({ relistPeriodMs: 4000 });
const givesUpAtOnce = configured({ maxStreamFailures: 1 });
const ignoresRequests: BrokenPleg = () => ({ requestRelist: () => undefined });
const relistsOnce = relisting((podRelist) => {
  const relisted = new Set<string>();
  return {
    requestRelist: (podUid) => void (relisted.has(podUid) || podRelist.requestRelist(relisted.add(podUid) && podUid)),
  };
});
const overlooksBreaks = streaming(async function* (events, { clock }, signal) {
  yield* events;
  await clock.sleep(1e9, signal);
});
const provenOnceOpen: BrokenPleg = (good) => ({
  get streamState() {
    return good.streamState === 'down' ? 'down' : 'proven';
  },
});
const alwaysHasView: BrokenPleg = (_good, { podRelist }) => ({ pods: () => podRelist.pods() });
const neverVouches: BrokenPleg = () => ({ vouch: () => false });

describeContractProof(
  'EventedPleg',
  (create) => describeEventedPlegContract('a broken pleg', create),
  (environment: EventedPlegEnvironment): EventedPlegRoles => setUp({}, environment).pleg,
  {
    'events relists a pod at once, and no other': {
      'it does so half a second later': hearing(async (event, { clock }, signal) => {
        await clock.sleep(500, signal);
        return [event];
      }),
      'it relists all': hearing((event, { podRelist }) => podRelist.relist().then(() => [event])),
      'no death is reported': reportsNoDeath,
    },
    'events relists nothing for what it knows: doubled, late and old events': {
      'it relists the pod at each event': hearing((event, { podRelist }) => {
        podRelist.requestRelist(podOf(event));
        return [event];
      }),
      'each event is reported twice': reportsTwice,
    },
    'events relists a pod again when the runtime reports a change before its lists show it, and not for ever': {
      'it relists the pod once': relistsOnce,
      'it relists the pod for ever': hearing((event, { clock, podRelist }, signal) => {
        const relist = (): void => podRelist.requestRelist('q');
        if (podOf(event) === 'q') void clock.every(1000, async () => relist(), signal);
        return [event];
      }),
    },
    'events finds the pod of an event that names none, and relists when it cannot': {
      'it ignores such an event': hearing((event) => (podOf(event) === '' ? [] : [event])),
      'it relists all at once': hearing((event) => (podOf(event) === '' ? [{ ...event, containerId: 'x' }] : [event])),
    },
    'events relists a pod on request, also for the patient, who otherwise have the relist of the next second': {
      'it ignores requests': ignoresRequests,
      'it ignores the patient': (good) => ({
        requestRelist: (podUid, options) =>
          options?.patient === true ? undefined : good.requestRelist(podUid, options),
      }),
      'it takes nobody for patient': (good) => ({ requestRelist: (podUid) => good.requestRelist(podUid) }),
    },
    'events relists all within a second or two after the relist of a pod has failed': {
      'it is not told': relisting(() => ({ watchFailures: () => () => undefined })),
      'it goes on so': configured({ eventedRelistPeriodMs: 5000 }),
    },
    'relists each second until a stream has settled, each ten until it has proved right, and then each minute': {
      'the first are slower': slowWhenDown,
      'the second are slower': configured({ trialRelistPeriodMs: 30_000 }),
      'the second are faster': configured({ trialRelistPeriodMs: 2000 }),
      'the third are slower': configured({ eventedRelistPeriodMs: 100_000 }),
      'the third are faster': configured({ eventedRelistPeriodMs: 5000 }),
      'a stream is proven once it is open': provenOnceOpen,
    },
    'relists find a change of which the event was lost within a minute': {
      'there is no safety net': noSafetyNet,
    },
    'relists are what health goes by: the last is at most three minutes old, with events ten': {
      'health is always good': () => ({ healthy: () => ({ ok: true }) }),
      'health is never good': () => ({ healthy: () => ({ ok: false, reason: 'never' }) }),
      'three minutes hold with events': configured({ eventedRelistThresholdMs: 180_000 }),
      'longer than ten minutes hold with events': configured({ eventedRelistThresholdMs: 700_000 }),
      'ten minutes hold without': configured({ relistThresholdMs: 600_000 }),
    },
    'misses nothing and invents nothing when events are %s while %s': {
      'no death is reported': reportsNoDeath,
      'each event is reported twice': reportsTwice,
      'no removal is reported': reporting((event, report) =>
        event.type === 'ContainerRemoved' ? undefined : report(event),
      ),
      'it stops relisting': relisting((podRelist, { clock }) => ({
        relist: () => (clock.monotonic() > 1000 ? Promise.resolve() : podRelist.relist()),
        requestRelist: () => undefined,
      })),
      'it leaves a timer': (good, { clock }) => ({
        stop: () => {
          clock.setTimer(1e6, () => undefined);
          return good.stop();
        },
      }),
    },
    'a stream that breaks is replaced by relists each second, at once, and by another stream': {
      'the break is overlooked': overlooksBreaks,
      'relists are slower': slowWhenDown,
      'events are given up': givesUpAtOnce,
      'the next stream is taken for proven': provenOnceOpen,
      'relists go on': configured({ eventedRelistPeriodMs: 5000 }),
    },
    'a stream that breaks is not replaced by another before the runtime answers again': {
      'it does not notice that the runtime is away': relisting((podRelist) => ({
        relist: () => podRelist.relist().catch(() => undefined),
      })),
    },
    'a stream that breaks leaves nobody a view of the runtime until the next one has proved right': {
      'there is always a view': alwaysHasView,
      'there is a view once a stream is open': (good, { podRelist }) => ({
        pods: () => (good.streamState === 'down' ? undefined : podRelist.pods()),
      }),
      'there is never a view': () => ({ pods: () => undefined }),
    },
    'events are given up for five minutes, and then tried again after five streams in a row that ended without use': {
      'they are never given up': configured({ maxStreamFailures: 1000 }),
      'they are given up after three': configured({ maxStreamFailures: 3 }),
      'they are tried again early': configured({ returnAfterMs: 100_000 }),
      'they are not tried again': configured({ returnAfterMs: 1e9 }),
      'nothing is relisted meanwhile': configured({ relistPeriodMs: 10_000 }),
    },
    'events are given up for five minutes, and then tried again not after streams that were of use': {
      'they are given up': givesUpAtOnce,
      'their use is forgotten': deafTo(CONTAINER_STOPPED_EVENT),
    },
    'events are given up for five minutes, and then tried again at once when the runtime has none, as often as that is so':
      {
        'that is an error like others': streaming(async function* (events) {
          try {
            yield* events;
          } catch {
            throw new KubeletError('broken', { code: 'internal' });
          }
        }),
        'they are not tried again': configured({ returnAfterMs: 1e9 }),
        'nothing is relisted meanwhile': configured({ relistPeriodMs: 10_000 }),
      },
    'events are given up for five minutes, and then tried again at once when the runtime ends each stream without an event':
      {
        'that is taken for a broken stream': streaming(async function* (events) {
          yield* events;
          throw new KubeletError('broken', { code: 'internal' });
        }),
      },
    'events are given up for five minutes, and then tried again but sooner when the runtime was away and answers again':
      {
        'nobody sees that it was away': relisting((podRelist) => ({
          relist: () => podRelist.relist().catch(() => undefined),
        })),
      },
    'events are given up for five minutes, and then tried again when a second stream stalls in that time': {
      'each stall is the first': configured({ returnAfterMs: 1 }),
      'no stall is found': noStallCheck,
    },
    'closes its stream and reports nothing more when it stops, however often': {
      'stop does nothing': () => ({ stop: () => Promise.resolve() }),
      'the stream stays open': streaming((_events, environment) => environment.events.getContainerEvents({})),
      'it still reports': (_good, { podRelist }) => ({
        watch: (listener) => podRelist.watch(listener),
        requestRelist: (podUid) => podRelist.requestRelist(podUid),
      }),
      'it still vouches': vouchingIf(() => true),
    },
    'a stream that may have stalled is replaced when it has not reported within ten seconds what a relist shows': {
      'nobody checks': noStallCheck,
      'it is replaced earlier': configured({ echoTimeoutMs: 5000 }),
      'it is replaced later': configured({ echoTimeoutMs: 25_000 }),
      'there is always a view': alwaysHasView,
      'events are given up': givesUpAtOnce,
    },
    'a stream that may have stalled is kept when the event comes within that time': {
      'it is replaced earlier': configured({ echoTimeoutMs: 5000 }),
      'the event is not heard': deafTo(CONTAINER_STOPPED_EVENT),
    },
    'a stream that may have stalled is kept when it reports the steps of a container in the wrong order': {
      'the last word counts': hearing((event) =>
        event.containerId !== 'd' || event.containerEventType === CONTAINER_STARTED_EVENT ? [event] : [],
      ),
    },
    'a stream that may have stalled is kept on a node on which nothing happens': {
      'silence is taken for a stall': (good, { clock, events }) => {
        const timer = clock.setTimer(600_000, () => events.breakStreams());
        return { stop: () => good.stop().finally(() => timer.cancel()) };
      },
    },
    'a stream that may have stalled is kept when it has reported the creation of a container that no relist has shown running and that has ended':
      {
        'a creation is not enough': deafTo(CONTAINER_CREATED_EVENT),
      },
    'a stream that may have stalled is replaced when it has reported nothing of a container that no relist has shown running and that has ended':
      {
        'nobody checks': noStallCheck,
      },
    'a stream that may have stalled is replaced when it has reported the start of a container that no relist has shown running and that has ended':
      {
        'a start is enough': hearing((event) =>
          event.containerId === 'd' ? [{ ...event, containerEventType: CONTAINER_STOPPED_EVENT }] : [event],
        ),
      },
    'vouches for a pod in which nothing has happened since its sync, once a stall since then would have been noticed': {
      'it never does': neverVouches,
      'it does at once': (good) => ({ vouch: (podUid) => good.vouch(podUid, -1e9) }),
      'it does later': configured({ echoTimeoutMs: 25_000 }),
      'the cache is not told': () => ({ vouch: () => true }),
    },
    'vouches for a pod not if no relist has shown it, or its inspection failed': {
      'one that is not known is vouched for': (good, { podRelist }) => ({
        vouch: (podUid, settledAtMs) => podRelist.pod(podUid) === undefined || good.vouch(podUid, settledAtMs),
      }),
      'one of which the inspection failed is vouched for': (good, { podRelist }) => ({
        vouch: (podUid, settledAtMs) => podRelist.unsettled.has(podUid) || good.vouch(podUid, settledAtMs),
      }),
      'it never does': neverVouches,
    },
    'vouches for a pod not after an event that no relist confirms, until one does': {
      'it does': vouchingIf(({ streamState }) => streamState === 'proven'),
      'it never does': neverVouches,
    },
    'vouches for a pod not unless the stream is proven': {
      'an unproven one will do': vouchingIf(({ streamState }) => streamState === 'unproven'),
      'none will do': vouchingIf(({ streamState }) => streamState === 'down'),
      'a stream is proven once it is open': provenOnceOpen,
      'it never does': neverVouches,
    },
    'vouches for a pod not after the event of a change was lost and a relist has found it, until a new stream has proved right':
      {
        'it goes on': noStallCheck,
        'an unproven stream will do': vouchingIf(({ streamState }) => streamState === 'unproven'),
        'it never does again': neverVouches,
      },
    'vouches for a pod and finds within a minute what an event that was lost would have reported, however often it is asked':
      {
        'there is no safety net': noSafetyNet,
        'it never vouches': neverVouches,
        'nothing is relisted after it has vouched': relisting((podRelist) => ({
          relist: () => (podRelist.vouched.length > 0 ? Promise.resolve() : podRelist.relist()),
        })),
      },
  },
);
