import { KubeletError } from '@podwright/errors';
import type { Clock } from '@podwright/time';
import type { HostNetwork } from './host-network.js';
import { waitAtMost } from '../wait-at-most.js';

// A working resolver answers in less time; a status update must not wait longer.
const patienceMs = 2_000;

/**
 * Limits the wait for the resolver: at most one lookup is in progress, and while it is slow the last answer stands, so
 * that a slow name server does not change the node's addresses.
 */
export function boundedLookup(network: HostNetwork, clock: Clock): HostNetwork {
  let asking: Promise<void> | undefined;
  let last: readonly string[] | undefined;
  const ask = (name: string): Promise<void> =>
    network.lookup(name).then(
      (found) => void (last = found),
      () => void (last = undefined),
    );
  return {
    addresses: () => network.addresses(),
    defaultRoutes: () => network.defaultRoutes(),
    lookup: async (name) => {
      asking ??= ask(name).finally(() => (asking = undefined));
      await waitAtMost(clock, patienceMs, asking);
      if (last === undefined) throw new KubeletError(`no address of ${name} is known`, { code: 'not-found' });
      return last;
    },
  };
}
