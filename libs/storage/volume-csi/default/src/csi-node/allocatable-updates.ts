import { KubeletError, messageOf } from '@podwright/errors';
import type { CsiDriver } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import type { CsiClients } from '../client/csi-client.js';
import { csiOperation } from '../client/csi-operation.js';
import type { CsiDriverObjects } from '../csi-drivers/csi-driver-objects.js';
import type { DriverStore } from '../drivers/driver-store.js';
import type { NodeInfo } from './node-info.js';

export interface AllocatableUpdatesDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly clients: CsiClients;
  readonly drivers: Pick<DriverStore, 'get'>;
  readonly objects: CsiDriverObjects;
  readonly nodeInfo: Pick<NodeInfo, 'update'>;
}

interface Updates {
  readonly periodMs: number;
  readonly stopping: AbortController;
  readonly ended: Promise<void>;
}

/** Zero: the driver's number of volumes does not change. */
export function updatePeriodMs(driver: CsiDriver | undefined): number {
  return (driver?.spec.nodeAllocatableUpdatePeriodSeconds ?? 0) * 1_000;
}

/**
 * Asks drivers periodically how many volumes the node can attach, and writes it to CSINode. Source: kubernetes v1.36
 * pkg/volume/csi/csi_node_updater.go.
 */
export class AllocatableUpdates {
  private readonly running = new Map<string, Updates>();
  private readonly ending = new Set<Promise<void>>();
  private stopped = false;

  constructor(private readonly deps: AllocatableUpdatesDeps) {}

  /** Starts or stops the updates of a driver after a change of its registration or its CSIDriver. */
  sync(driver: string): void {
    const periodMs = this.periodMs(driver);
    const current = this.running.get(driver);
    if (current?.periodMs === periodMs) return;
    this.end(driver);
    if (periodMs === 0 || this.stopped) return;
    const stopping = new AbortController();
    const ended = this.run(driver, periodMs, stopping.signal);
    this.running.set(driver, { periodMs, stopping, ended });
  }

  /** Updates the driver's entry now. Rejects in upstream's words. */
  async refresh(driver: string, signal: AbortSignal): Promise<void> {
    const { clients, clock, nodeInfo } = this.deps;
    const failed = (what: string) => (error: unknown) => {
      const { code } = KubeletError.from(error);
      throw new KubeletError(`${what} ${JSON.stringify(driver)}: ${messageOf(error)}`, { code, cause: error });
    };
    const info = await csiOperation(clock, signal, (operation) => clients.of(driver).nodeGetInfo(operation)).catch(
      failed('failed to get NodeGetInfo from driver'),
    );
    await nodeInfo.update(driver, info, signal).catch(failed('failed to update driver'));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    for (const driver of [...this.running.keys()]) this.end(driver);
    await Promise.all(this.ending);
  }

  private periodMs(driver: string): number {
    if (this.deps.drivers.get(driver) === undefined) return 0;
    try {
      return updatePeriodMs(this.deps.objects.get(driver));
    } catch {
      // Not listed yet: the list reports every CSIDriver as added.
      return 0;
    }
  }

  private end(driver: string): void {
    const updates = this.running.get(driver);
    if (updates === undefined) return;
    this.running.delete(driver);
    updates.stopping.abort();
    const ended = updates.ended.finally(() => this.ending.delete(ended));
    this.ending.add(ended);
  }

  private async run(driver: string, periodMs: number, signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.deps;
    logger.info('Starting periodic updates for driver', { driver, periodMs });
    while (!signal.aborted) {
      await clock.sleep(periodMs, signal).catch(() => undefined);
      if (signal.aborted) break;
      await this.refresh(driver, signal).catch((error: unknown) => {
        if (!signal.aborted) logger.error('Failed to update CSIDriver', { driver, error });
      });
    }
    logger.info('Stopping periodic updates for driver', { driver, periodMs });
  }
}
