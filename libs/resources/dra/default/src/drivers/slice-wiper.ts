import { hasCode, KubeletError } from '@podwright/errors';
import { resourceSlices, type KubeClient } from '@podwright/kube-client-interface';
import type { Node } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { GrowingPause, jitter, type Clock, type Random, type Timer } from '@podwright/time';

export interface SliceWiperDeps {
  /** Without it nothing is deleted. */
  readonly client: Pick<KubeClient, 'deleteCollection'> | undefined;
  readonly node: { current(): Node | undefined } | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** How long a driver may be away. */
  readonly delayMs: number;
}

// Source: kubernetes v1.36 pkg/kubelet/cm/dra/plugin/dra_plugin_manager.go wipeResourceSlices.
const firstPauseMs = 1_000;
const longestPauseMs = 300_000;
const jitterFactor = 0.2;
const mostTries = 100;

/**
 * Deletes the ResourceSlices of this node whose drivers are away, so that the scheduler sends no pods that would wait
 * for them.
 */
export class SliceWiper {
  private readonly pending = new Map<string, Timer>();
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<void>>();

  constructor(private readonly deps: SliceWiperDeps) {}

  /** No driver is registered yet, and some may never come back. */
  start(): void {
    this.run(undefined);
  }

  /** A driver that is usable again keeps its slices; a delay that already runs is not prolonged. */
  driverChanged(driver: string, usable: boolean): void {
    if (usable) {
      this.pending.get(driver)?.cancel();
      this.pending.delete(driver);
    } else if (!this.pending.has(driver) && !this.stopping.signal.aborted) {
      const wipe = (): void => {
        this.pending.delete(driver);
        this.run(driver);
      };
      this.pending.set(driver, this.deps.clock.setTimer(this.deps.delayMs, wipe));
    }
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the DRA manager is stopping', { code: 'cancelled' }));
    for (const timer of this.pending.values()) timer.cancel();
    this.pending.clear();
    await Promise.all(this.running);
  }

  private run(driver: string | undefined): void {
    const { client } = this.deps;
    if (client === undefined) return;
    const wiping = this.retried(client, driver).finally(() => this.running.delete(wiping));
    this.running.add(wiping);
  }

  private async retried(client: Pick<KubeClient, 'deleteCollection'>, driver: string | undefined): Promise<void> {
    const { clock, random } = this.deps;
    const { signal } = this.stopping;
    const pause = new GrowingPause({ firstMs: firstPauseMs, longestMs: longestPauseMs });
    for (let tries = 1; tries <= mostTries; tries++) {
      if (await this.wiped(client, driver)) return;
      // Only the signal ends the sleep early.
      await clock.sleep(jitter(random, pause.next(), jitterFactor), signal).catch(() => undefined);
      if (signal.aborted) return;
    }
    this.deps.logger.error('Giving up deleting ResourceSlices', { driverName: driver ?? '<all>', tries: mostTries });
  }

  private async wiped(client: Pick<KubeClient, 'deleteCollection'>, driver: string | undefined): Promise<boolean> {
    const nodeName = this.deps.node?.current()?.metadata?.name;
    if (nodeName === undefined) return false;
    const ofDriver = driver === undefined ? '' : `spec.driver=${driver},`;
    const fieldSelector = `${ofDriver}spec.nodeName=${nodeName}`;
    const { signal } = this.stopping;
    try {
      await client.deleteCollection(resourceSlices, { fieldSelector, signal });
      this.deps.logger.debug(3, 'Deleted ResourceSlices', { fieldSelector });
      return true;
    } catch (error) {
      if (hasCode(error, 'not-found') || signal.aborted) return true;
      this.deps.logger.debug(3, 'Deleting ResourceSlice failed, retrying', { fieldSelector, error });
      return false;
    }
  }
}
