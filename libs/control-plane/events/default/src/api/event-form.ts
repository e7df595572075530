import { coreEvents, type KubeObject, type ResourceType } from '@podwright/kube-client-interface';
import type { CoreEvent, ObjectReference } from '@podwright/kube-types';

/** The API group in which events are written. Reads show the same objects in both. */
export interface EventForm {
  readonly resource: ResourceType;
  create(event: CoreEvent): KubeObject;
  /** Strategic merge patch that increments the event's count. */
  patch(event: CoreEvent): unknown;
}

/** The form of upstream's kubelet: `v1`, with repetitions in `count` and `lastTimestamp`. */
export const coreEventForm: EventForm = {
  resource: coreEvents,
  create: (event) => event,
  patch: ({ count, lastTimestamp, message }) => ({ count, lastTimestamp, message }),
};

/** An event of the group `events.k8s.io`. Source: kubernetes v1.36 staging/src/k8s.io/api/events/v1/types.go. */
export interface EventsV1Event extends KubeObject {
  readonly eventTime: string;
  readonly reportingController: string;
  readonly reportingInstance: string;
  /** The reason: the API server rejects an empty action, and the recorders know no other. */
  readonly action: string;
  readonly reason: string;
  readonly regarding: ObjectReference;
  readonly note: string;
  readonly type: string;
  readonly series?: { readonly count: number; readonly lastObservedTime: string };
}

const maxNoteBytes = 1024;

/** The form of newer components, with repetitions in `series`. */
export const eventsV1Form: EventForm = {
  resource: { group: 'events.k8s.io', version: 'v1', plural: 'events', kind: 'Event', namespaced: true },
  create: (event): EventsV1Event => ({
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: event.metadata,
    eventTime: microTime(event.firstTimestamp),
    reportingController: event.reportingComponent ?? '',
    reportingInstance: event.reportingInstance ?? '',
    action: event.reason ?? '',
    reason: event.reason ?? '',
    regarding: event.involvedObject,
    note: note(event),
    type: event.type ?? '',
    ...((event.count ?? 1) > 1 && { series: series(event) }),
  }),
  patch: (event) => ({ note: note(event), series: series(event) }),
};

function series({ count = 1, lastTimestamp }: CoreEvent): NonNullable<EventsV1Event['series']> {
  return { count, lastObservedTime: microTime(lastTimestamp) };
}

function note({ message = '' }: CoreEvent): string {
  const bytes = Buffer.from(message);
  if (bytes.length <= maxNoteBytes) return message;
  // Omits a character that was cut in two.
  return new TextDecoder().decode(bytes.subarray(0, maxNoteBytes), { stream: true });
}

const microTime = (time: string | undefined): string => (time ?? '').replace('Z', '.000000Z');
