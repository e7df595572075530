import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import type { Iptables } from './iptables.js';

const canary = 'KUBE-KUBELET-CANARY';
const firstTable = 'mangle';
const otherTables = ['nat', 'filter'];
const flushPollMs = 100;
const flushTimeoutMs = 5_000;

export interface FlushMonitorDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Calls `reload` each time that another program has flushed iptables, which removes an empty chain that nothing else
 * needs. Ends when the signal aborts. Source: kubernetes v1.36 pkg/util/iptables/iptables.go Monitor.
 */
export async function monitorFlushes(
  iptables: Iptables,
  { clock, logger }: FlushMonitorDeps,
  { periodMs, reload }: { readonly periodMs: number; readonly reload: () => Promise<void> },
  signal: AbortSignal,
): Promise<void> {
  const isGone = async (table: string, tell: boolean): Promise<boolean> => {
    try {
      return !(await iptables.hasChain(table, canary, signal));
    } catch (error) {
      signal.throwIfAborted();
      if (tell) logger.error('Could not check for iptables canary', { table, chain: canary, error });
      return false;
    }
  };
  const areOthersGone = async (): Promise<boolean> => {
    for (const table of otherTables) if (!(await isGone(table, false))) return false;
    return true;
  };
  const placeCanaries = async (): Promise<boolean> => {
    for (const table of [firstTable, ...otherTables]) {
      try {
        await iptables.ensureChain(table, canary, signal);
      } catch (error) {
        signal.throwIfAborted();
        logger.error('Could not set up iptables canary', { table, chain: canary, error });
        return false;
      }
    }
    return true;
  };
  for (;;) {
    while (!(await placeCanaries())) await clock.sleep(periodMs, signal);
    do await clock.sleep(periodMs, signal);
    while (!(await isGone(firstTable, true)));
    logger.debug(2, 'IPTables canary deleted', { table: firstTable, chain: canary });
    // The other tables are being flushed too: rules that are made now could go with them.
    const since = clock.monotonic();
    while (!(await areOthersGone())) {
      if (clock.monotonic() - since >= flushTimeoutMs) {
        logger.info('Inconsistent iptables state detected');
        break;
      }
      await clock.sleep(flushPollMs, signal);
    }
    logger.debug(2, 'Reloading after iptables flush');
    await reload();
  }
}
