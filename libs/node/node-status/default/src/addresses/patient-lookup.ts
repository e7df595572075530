import { KubeletError } from '@podwright/errors';
import type { Clock } from '@podwright/time';
import type { HostNetwork } from './host-network.js';
import { waitAtMost } from '../wait-at-most.js';

// A resolver that answers at all does so in less; a status is not held up for more.
const patienceMs = 2_000;

/**
 * The network, with a resolver that nobody waits long for: at most one question is under way, and while it takes too long the
 * last answer stands, so that addresses do not change because a name server is slow.
 */
export function patientLookup(network: HostNetwork, clock: Clock): HostNetwork {
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
