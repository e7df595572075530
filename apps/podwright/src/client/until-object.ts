import type { Clock } from '@podwright/time';
import type { ApiClient } from './api-client.js';
import { isGone } from './api-error.js';
import type { ApiObject, Resource } from './resources.js';
import { listObjects, watchObjects } from './watch.js';

export interface ObjectReference {
  readonly resource: Resource;
  readonly namespace?: string;
  readonly name: string;
}

// A server that ends each watch at once must not be asked without a pause.
const relistPauseMs = 1_000;

/**
 * Waits until `isDone` says so of the object, undefined once it is gone, and returns it. It is called with the present
 * state first. What it throws ends the wait. @throws the signal's reason when it aborts.
 */
export async function untilObject(
  client: ApiClient,
  { resource, namespace, name }: ObjectReference,
  isDone: (object: ApiObject | undefined) => boolean,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<ApiObject | undefined> {
  const selection = { ...(namespace !== undefined && { namespace }), fieldSelector: `metadata.name=${name}` };
  for (;;) {
    signal.throwIfAborted();
    const { items, metadata } = await listObjects(client, resource, selection);
    const [present] = items;
    if (isDone(present)) return present;
    try {
      for await (const event of watchObjects(client, resource, selection, metadata?.resourceVersion, signal)) {
        // A server may tell of objects that left the selection; this one never was in it.
        if (event.object.metadata.name !== name) continue;
        const object = event.type === 'DELETED' ? undefined : event.object;
        if (isDone(object)) return object;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!isGone(error)) throw error;
    }
    await clock.sleep(relistPauseMs, signal);
  }
}
