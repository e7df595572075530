import type { CoreEvent } from '@podwright/kube-types';

// As upstream: source, object, then the distinguishing parts; the separator occurs in no name, which is safer than
// upstream's empty one.
function key(event: CoreEvent, ...parts: readonly (string | undefined)[]): string {
  const { kind, namespace, name, uid, apiVersion } = event.involvedObject;
  const { component, host } = event.source ?? {};
  return [component, host, kind, namespace, name, uid, apiVersion, event.type, ...parts].join('\n');
}

/** Key of events that are equal apart from their time: they share one API object with a count. */
export function repetitionKey(event: CoreEvent): string {
  return key(event, event.involvedObject.fieldPath, event.reason, event.message);
}

/** Key of events that differ only in message and container. */
export function similarityKey(event: CoreEvent): string {
  return key(event, event.reason, event.reportingComponent, event.reportingInstance);
}

/** Key of all events of one type from this source about one object. */
export function spamKey(event: CoreEvent): string {
  return key(event);
}
