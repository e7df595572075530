import { breaks, breaksIn, describeContractProof } from '@podwright/contract';
import type { EventRecorder, RecordedEvent } from '@podwright/events-interface';
import { describeEventRecorderContract, describeRecentEventsContract } from '@podwright/events-interface/contract';
import type { EventRecorderHarness, RecentEventsHarness } from '@podwright/events-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';

type Event = Parameters<EventRecorder['event']>;
type Broken = (good: EventRecorderHarness) => Partial<EventRecorderHarness>;

/** A recorder that refuses some events. */
const refusing = (refused: (...event: Event) => boolean): Broken =>
  breaksIn('recorder', (good) => ({
    event: (...event) => {
      if (refused(...event)) throw new Error('not such an event');
      good.event(...event);
    },
  }));
const pod = ([object]: Event): { name?: string; uid?: string } =>
  object.kind === 'Pod' ? (object.pod.metadata ?? {}) : { name: 'the node' };

describeContractProof(
  'EventRecorder',
  (create) => describeEventRecorderContract('a broken EventRecorder', create),
  createContractHarness as () => Promise<EventRecorderHarness>,
  {
    'takes events about pods, their containers, the node, claims and volumes, and leaves what it is given unchanged': {
      'it takes none about pods': refusing((object) => object.kind === 'Pod'),
      'it takes none about containers': refusing((object) => object.kind === 'Pod' && object.fieldPath !== undefined),
      'it takes none about the node': refusing((object) => object.kind === 'Node'),
      'it takes none about claims': refusing((object) => object.kind === 'PersistentVolumeClaim'),
      'it takes none about volumes': refusing((object) => object.kind === 'PersistentVolume'),
      'it writes into what it is given': breaksIn('recorder', () => ({
        event: (object) => void Object.assign(object, { seen: true }),
      })),
      'it gives a promise': breaksIn('recorder', () => ({ event: () => Promise.resolve() as never })),
      'it does not end': () => ({ close: () => new Promise(() => undefined) }),
    },
    'takes an object that does not say who it is': {
      'it needs a UID': refusing((...event) => pod(event).uid === undefined),
      'it needs a name': refusing((...event) => pod(event).name === undefined),
      'the name must not be empty': refusing((...event) => pod(event).name === ''),
    },
    'takes any text': {
      'it refuses an empty one': refusing((_object, _type, reason) => reason === ''),
      'it refuses a long one': refusing((_object, _type, _reason, message) => message.length > 1024),
      'it refuses control characters': refusing((_object, _type, reason) => reason.includes('\u0000')),
      'it refuses half a character': refusing((_object, _type, reason) => /\p{Surrogate}/u.test(reason)),
    },
    'takes a flood, of one event and of many': {
      'its place runs out': (good) => {
        let events = 0;
        return refusing(() => ++events > 1000)(good);
      },
      'it does not end': () => ({ close: () => new Promise(() => undefined) }),
    },
  },
);

type Forgetful = (good: RecentEventsHarness) => Partial<RecentEventsHarness>;

const remembering = (change: (events: readonly RecordedEvent[]) => readonly RecordedEvent[]): Forgetful =>
  breaksIn('recent', (good) => ({ recent: () => change(good.recent()) }));
const rememberingEach = (changed: Partial<RecordedEvent>): Forgetful =>
  remembering((events) => events.map((event) => ({ ...event, ...changed })));
/** One that records something else than it is given. */
const recording = (change: (...event: Event) => Event): Forgetful =>
  breaksIn('recorder', (good) => ({ event: (...event) => good.event(...change(...event)) }));
const ofPod = (changed: { name?: string; uid?: string }): Forgetful =>
  recording((object, ...event) =>
    object.kind === 'Pod'
      ? [{ ...object, pod: { metadata: { ...object.pod.metadata, ...changed } } }, ...event]
      : [object, ...event],
  );

describeContractProof(
  'RecentEvents',
  (create) => describeRecentEventsContract('a broken RecentEvents', create),
  createContractHarness,
  {
    'gives back what was recorded, oldest first, and nothing before': {
      'something was recorded before': ({ recorder }) => {
        recorder.event({ kind: 'Node' }, 'Normal', 'NodeReady', 'Node is ready');
        return {};
      },
      'the newest comes first': remembering((events) => events.toReversed()),
      'it gives back one': remembering((events) => events.slice(0, 1)),
      'the kind is lost': rememberingEach({ kind: 'Pod' }),
      'the namespace is lost': rememberingEach({ namespace: '' }),
      'the name is lost': rememberingEach({ name: '' }),
      'the UID is lost': rememberingEach({ podUid: '' }),
      'the container is lost': rememberingEach({ fieldPath: '' }),
      'the type is lost': rememberingEach({ type: 'Normal' }),
      'the reason is lost': rememberingEach({ reason: '' }),
      'the message is lost': rememberingEach({ message: '' }),
      'each counts twice': rememberingEach({ count: 2 }),
    },
    'counts a repetition in its entry, with the times of the first and the last': {
      'it makes a second entry': remembering((events) => [...events, ...events]),
      'it does not count': rememberingEach({ count: 1 }),
      'the last time is the first': remembering((events) =>
        events.map((event) => ({ ...event, lastAtMs: event.firstAtMs })),
      ),
      'the first time is the last': remembering((events) =>
        events.map((event) => ({ ...event, firstAtMs: event.lastAtMs })),
      ),
    },
    'keeps apart what differs in one thing': {
      'the name makes the pod': ofPod({ uid: '1' }),
      'the containers of a pod are one': recording((object, ...event) => [
        object.kind === 'Pod' ? { kind: 'Pod', pod: object.pod } : object,
        ...event,
      ]),
      'the type does not count': recording((object, _type, ...event) => [object, 'Normal', ...event]),
      'the reason does not count': recording((object, type, _reason, message) => [object, type, 'Pulled', message]),
      'the message does not count': recording((object, type, reason) => [object, type, reason, 'a']),
      'the node is lost': remembering((events) => events.filter(({ kind }) => kind === 'Pod')),
    },
    'hands out a copy that later events do not change': {
      'it hands out its own list': (good) => {
        const own: RecordedEvent[] = [];
        const recent = (): readonly RecordedEvent[] => {
          own.splice(0, own.length, ...good.recent.recent());
          return own;
        };
        const event: EventRecorder['event'] = (...given) => {
          good.recorder.event(...given);
          recent();
        };
        return { recorder: breaks(good.recorder, { event }), recent: breaks(good.recent, { recent }) };
      },
      'it hands out the first copy again': breaksIn('recent', (good) => {
        let first: readonly RecordedEvent[] | undefined;
        return { recent: () => (first ??= good.recent()) };
      }),
    },
  },
);
