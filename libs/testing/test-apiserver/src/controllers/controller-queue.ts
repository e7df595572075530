import type { StoreEvent } from '../store/collection-history.js';
import type { ObjectStore } from '../store/object-store.js';
import type { Controller } from './controller.js';

/**
 * Calls the controllers for each write, but in a later microtask, so that they never see the writes of a request half
 * done. Passes errors of a controller to `onError`. Returns unsubscribe.
 */
export function runControllers(
  store: ObjectStore,
  controllers: readonly Controller[],
  onError: (error: unknown) => void,
): () => void {
  const pending: StoreEvent[] = [];
  const drain = (): void => {
    for (let event = pending.shift(); event !== undefined; event = pending.shift()) {
      for (const controller of controllers) {
        try {
          controller(event);
        } catch (error) {
          onError(error);
        }
      }
    }
  };
  return store.watch((event) => {
    pending.push(event);
    if (pending.length === 1) queueMicrotask(drain);
  });
}
