import type { EventObject, EventRecorder } from '@podwright/events-interface';
import type { EnsureImageRequest } from '../image-manager.js';

/** A request for an image by a pod, about its container `app`. */
export function requestFor(
  image: string,
  pullPolicy: EnsureImageRequest['pullPolicy'],
  podUid = 'uid-1',
): EnsureImageRequest {
  const metadata = { uid: podUid, name: `pod-${podUid}`, namespace: 'contract' };
  const pod = { metadata, spec: { containers: [{ name: 'app', image }] } };
  const eventObject: EventObject = { kind: 'Pod', pod, fieldPath: 'spec.containers{app}' };
  return { pod, image, pullPolicy, pullSecrets: [], sandboxConfig: { metadata }, eventObject };
}

/** Keeps events as `<type> <reason> <message>`, and their objects. */
export class EventLog implements EventRecorder {
  readonly lines: string[] = [];
  readonly objects: EventObject[] = [];

  event(object: EventObject, type: string, reason: string, message: string): void {
    this.objects.push(object);
    this.lines.push(`${type} ${reason} ${message}`);
  }
}
