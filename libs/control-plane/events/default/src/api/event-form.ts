import { coreEvents, type KubeObject, type ResourceType } from '@podwright/kube-client-interface';
import type { CoreEvent, ObjectReference } from '@podwright/kube-types';

/** The group in which events are written. Both show up as the same object when read. */
export interface EventForm {
  readonly resource: ResourceType;
  create(event: CoreEvent): KubeObject;
  /** Strategic merge patch that counts the event up. */
  patch(event: CoreEvent): unknown;
}

/** As upstream's kubelet writes them: `v1`, repetitions in `count` and `lastTimestamp`. */
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
  /** The API server refuses an empty one; the kubelet's recorders know only a reason, so it is that. */
  readonly action: string;
  readonly reason: string;
  readonly regarding: ObjectReference;
  readonly note: string;
  readonly type: string;
  readonly series?: { readonly count: number; readonly lastObservedTime: string };
}

const maxNoteBytes = 1024;

/** As newer components write them: repetitions in `series`. */
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
  // A character that was cut in two is left out.
  return new TextDecoder().decode(bytes.subarray(0, maxNoteBytes), { stream: true });
}

const microTime = (time: string | undefined): string => (time ?? '').replace('Z', '.000000Z');
