import { createToken } from '@podwright/assembly-interface';
import type { ObjectMeta, Pod } from '@podwright/kube-types';

export type EventType = 'Normal' | 'Warning';

/** What an event is about. `fieldPath` names a container as upstream does: `spec.containers{name}`. */
export type EventObject =
  | { readonly kind: 'Pod'; readonly pod: Pod | { readonly metadata: ObjectMeta }; readonly fieldPath?: string }
  | { readonly kind: 'Node' }
  | {
      readonly kind: 'PersistentVolumeClaim' | 'PersistentVolume';
      readonly object: { readonly metadata?: ObjectMeta };
    };

/**
 * Records events. Calls return at once and never throw. A recorder may drop events under load, so no caller may rely on
 * their arrival. Callers use upstream's reasons and messages letter by letter: users and tools match on them.
 * Source: kubernetes v1.36 pkg/kubelet/events/event.go.
 */
export interface EventRecorder {
  /** `annotations` are set on the Event object, for programs; a recorder without an API server may ignore them. */
  event(
    object: EventObject,
    type: EventType,
    reason: string,
    message: string,
    annotations?: Readonly<Record<string, string>>,
  ): void;
}

export const EVENT_RECORDER = createToken<EventRecorder>('kubelet.events/v1');
