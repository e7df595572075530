import type { CoreEvent } from '@podwright/kube-types';

// As upstream: source, then the object, then what the caller distinguishes by; a separator that no name contains is safer
// than upstream's empty one.
function key(event: CoreEvent, ...parts: readonly (string | undefined)[]): string {
  const { kind, namespace, name, uid, apiVersion } = event.involvedObject;
  const { component, host } = event.source ?? {};
  return [component, host, kind, namespace, name, uid, apiVersion, event.type, ...parts].join('\n');
}

/** Events that are the same but for their time: they share one object of the API, with a count. */
export function repetitionKey(event: CoreEvent): string {
  return key(event, event.involvedObject.fieldPath, event.reason, event.message);
}

/** Events that differ in their message, and container, only. */
export function similarityKey(event: CoreEvent): string {
  return key(event, event.reason, event.reportingComponent, event.reportingInstance);
}

/** Everything of one type that this source says about one object. */
export function spamKey(event: CoreEvent): string {
  return key(event);
}
