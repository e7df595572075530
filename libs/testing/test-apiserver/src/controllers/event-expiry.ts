import type { ObjectStore } from '../store/object-store.js';
import type { Clock } from '@podwright/time';
import type { Controller } from './controller.js';

// Upstream's --event-ttl.
const lifetimeMs = 3_600_000;
const sweepMs = 60_000;

/** Deletes events an hour after their last write, at most a minute late. */
export function eventExpiry({ store, clock }: { readonly store: ObjectStore; readonly clock: Clock }): Controller {
  // Oldest first: a write moves its event to the end.
  const writtenAt = new Map<string, number>();
  let armed = false;
  const arm = (): void => {
    if (armed || writtenAt.size === 0) return;
    armed = true;
    clock.setTimer(sweepMs, sweep);
  };
  const sweep = (): void => {
    armed = false;
    for (const [key, atMs] of writtenAt) {
      if (clock.monotonic() - atMs < lifetimeMs) break;
      store.remove('events', key);
      writtenAt.delete(key);
    }
    arm();
  };
  return ({ type, resource, key }) => {
    if (resource !== 'events') return;
    writtenAt.delete(key);
    if (type === 'DELETED') return;
    writtenAt.set(key, clock.monotonic());
    arm();
  };
}
