import { hasCode, KubeletError } from '@podwright/errors';
import { resourceSlices, type KubeClient } from '@podwright/kube-client-interface';
import type { Node } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { GrowingPause, jitter, namedRandom, withLinkedSignal, type Clock, type Random } from '@podwright/time';

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
  /** By driver that is away: ends its delay and its tries. */
  private readonly away = new Map<string, AbortController>();
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<void>>();

  constructor(private readonly deps: SliceWiperDeps) {}

  /** No driver is registered yet, and some may never come back. */
  start(): void {
    this.run(() => this.wipe(undefined, this.stopping.signal));
  }

  /** A driver that is usable again keeps its slices; a delay that already runs is not prolonged. */
  driverChanged(driver: string, usable: boolean): void {
    if (usable) {
      // Also between two tries: by now the slices may be new.
      this.away.get(driver)?.abort(new KubeletError(`DRA driver ${driver} is back`, { code: 'cancelled' }));
      this.away.delete(driver);
    } else if (!this.away.has(driver) && !this.stopping.signal.aborted) {
      const back = new AbortController();
      this.away.set(driver, back);
      this.run(() =>
        withLinkedSignal([this.stopping.signal, back.signal], async (signal) => {
          await this.pause(this.deps.delayMs, signal);
          await this.wipe(driver, signal);
          if (!signal.aborted) this.away.delete(driver);
        }),
      );
    }
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the DRA manager is stopping', { code: 'cancelled' }));
    await Promise.all(this.running);
  }

  private run(work: () => Promise<void>): void {
    const wiping = work().finally(() => this.running.delete(wiping));
    this.running.add(wiping);
  }

  private async wipe(driver: string | undefined, signal: AbortSignal): Promise<void> {
    const { client, random, logger } = this.deps;
    if (client === undefined) return;
    const pause = new GrowingPause({ firstMs: firstPauseMs, longestMs: longestPauseMs });
    for (let tries = 1; tries <= mostTries && !signal.aborted; tries++) {
      if (await this.wiped(client, driver, signal)) return;
      await this.pause(
        jitter(namedRandom(random, `resource-slices ${driver ?? ''}`), pause.next(), jitterFactor),
        signal,
      );
    }
    if (!signal.aborted)
      logger.error('Giving up deleting ResourceSlices', { driverName: driver ?? '<all>', tries: mostTries });
  }

  /** Only the signal ends it early. */
  private async pause(delayMs: number, signal: AbortSignal): Promise<void> {
    await this.deps.clock.sleep(delayMs, signal).catch(() => undefined);
  }

  private async wiped(
    client: Pick<KubeClient, 'deleteCollection'>,
    driver: string | undefined,
    signal: AbortSignal,
  ): Promise<boolean> {
    const nodeName = this.deps.node?.current()?.metadata?.name;
    if (nodeName === undefined) return false;
    const ofDriver = driver === undefined ? '' : `spec.driver=${driver},`;
    const fieldSelector = `${ofDriver}spec.nodeName=${nodeName}`;
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
