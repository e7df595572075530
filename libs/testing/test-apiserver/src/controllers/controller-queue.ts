import type { StoreEvent } from '../store/collection-history.js';
import type { ObjectStore } from '../store/object-store.js';
import type { Controller } from './controller.js';

/**
 * Hands each write to the controllers after the request that made it has returned, so that nobody sees a half-done request.
 * What a controller throws goes to `onError`.
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
