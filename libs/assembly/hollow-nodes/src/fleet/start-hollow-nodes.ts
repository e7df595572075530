import { HollowFleet } from './hollow-fleet.js';
import type { HollowNodes } from './hollow-nodes.js';
import type { HollowNodesOptions } from './hollow-nodes-options.js';

/**
 * Starts nodes that join the API server's cluster. Resolves when all have started; they are Ready soon after. Rejects,
 * with nothing left running, when one cannot start or the signal aborts.
 */
export async function startHollowNodes(options: HollowNodesOptions, signal?: AbortSignal): Promise<HollowNodes> {
  const fleet = new HollowFleet(options);
  try {
    await fleet.start(signal);
    return fleet;
  } catch (error) {
    await fleet.stop();
    throw error;
  }
}
