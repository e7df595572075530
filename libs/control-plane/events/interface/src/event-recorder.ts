import { createToken } from '@podwright/assembly-interface';
import type { ObjectMeta, Pod } from '@podwright/kube-types';

export type EventType = 'Normal' | 'Warning';

/** What an event is about. `fieldPath` names a container as upstream does: `spec.containers{name}`. */
export type EventObject =
  | { readonly kind: 'Pod'; readonly pod: Pod | { readonly metadata: ObjectMeta }; readonly fieldPath?: string }
  | { readonly kind: 'Node' };

/**
 * Records events. Calls return at once, never throw and may drop under load; nothing may depend on an event having
 * arrived. Reasons and messages are upstream's, letter by letter: users and tools match on them.
 * Source: kubernetes v1.36 pkg/kubelet/events/event.go.
 */
export interface EventRecorder {
  /** `annotations` of the event object, for machines that read it; a recorder without an API server may leave them out. */
  event(
    object: EventObject,
    type: EventType,
    reason: string,
    message: string,
    annotations?: Readonly<Record<string, string>>,
  ): void;
}

export const EVENT_RECORDER = createToken<EventRecorder>('kubelet.events/v1');
