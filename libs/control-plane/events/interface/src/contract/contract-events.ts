import type { EventObject } from '../event-recorder.js';

/** A pod as the object of an event; frozen, because a recorder must not change what it gets. */
export function podObject(uid: string, fieldPath?: string): EventObject {
  const metadata = Object.freeze({ name: `web-${uid}`, namespace: 'contract', uid });
  const pod = Object.freeze({ metadata });
  return Object.freeze(fieldPath === undefined ? { kind: 'Pod', pod } : { kind: 'Pod', pod, fieldPath });
}
