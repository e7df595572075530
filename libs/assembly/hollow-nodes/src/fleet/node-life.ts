import type { Clock } from '@podwright/time';
import type { Logger } from '@podwright/logging';
import type { HollowNode } from '../node/hollow-node.js';
import type { PlannedFault } from './node-faults.js';

export interface NodeLifeDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onFault: (node: HollowNode) => void;
}

// A node that is down may find the API server away when it comes back.
const retryMs = 5_000;

/** Makes a started node fail and recover as planned, until the signal. Never rejects. */
export async function liveThrough(
  faults: Iterable<PlannedFault>,
  node: HollowNode,
  { clock, logger, onFault }: NodeLifeDeps,
  signal: AbortSignal,
): Promise<void> {
  const startedMs = clock.monotonic();
  const until = (ms: number): Promise<void> => clock.sleep(Math.max(0, startedMs + ms - clock.monotonic()), signal);
  try {
    for (const { fault, atMs, untilMs } of faults) {
      await until(atMs);
      await node.fail(fault);
      onFault(node);
      if (untilMs === undefined) return;
      await until(untilMs);
      while (!(await recovered(node, logger))) await clock.sleep(retryMs, signal);
      onFault(node);
    }
  } catch (error) {
    if (!signal.aborted) logger.error('The planned faults of a node have ended', { node: node.name, error });
  }
}

async function recovered(node: HollowNode, logger: Logger): Promise<boolean> {
  try {
    await node.recover();
    return true;
  } catch (error) {
    logger.warn('A node could not start again, retrying', { node: node.name, error });
    return false;
  }
}
