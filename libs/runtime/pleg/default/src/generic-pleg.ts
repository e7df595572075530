import { CLOCK, LOGGER, METRICS, decodeOptions } from '@podwright/assembly-interface';
import type { Health } from '@podwright/assembly-interface';
import { abortable } from '@podwright/concurrency';
import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { Gauge, MetricsRegistry } from '@podwright/metrics';
import type { Pleg, PodLifecycleEvent, RelistControl, RelistOptions } from '@podwright/pleg-interface';
import { POD_RELIST } from '@podwright/pod-relist-interface';
import type { PodRelist } from '@podwright/pod-relist-interface';
import { formatGoDuration } from '@podwright/time';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { GENERIC_PLEG_CONFIG, genericPlegConfigSchema } from './generic-pleg-config.js';
import type { GenericPlegConfig } from './generic-pleg-config.js';

/** {@link Pleg} that looks at every pod each period, and at one out of turn when asked to. */
@injectable()
export class GenericPleg implements Pleg, RelistControl {
  private readonly stopping = new AbortController();
  private readonly logger: Logger;
  private readonly lastSeen: Gauge;
  private loop: Promise<void> | undefined;
  private lastRelist: { readonly atMs: number; readonly wallMs: number } | undefined;

  constructor(
    @inject(POD_RELIST) private readonly podRelist: PodRelist,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) logger: Logger,
    @inject(METRICS) metrics: MetricsRegistry,
    @inject(GENERIC_PLEG_CONFIG) private readonly config: GenericPlegConfig,
  ) {
    this.logger = logger.with({ logger: 'pleg' });
    this.lastSeen = metrics.gauge({
      name: 'kubelet_pleg_last_seen_seconds',
      help: 'Timestamp in seconds when PLEG was last seen active.',
    });
  }

  // A runtime that is down is not a start failure: the node must come up and report NotReady.
  async start(): Promise<void> {
    const { signal } = this.stopping;
    this.loop ??= this.clock.every(this.config.relistPeriodMs, () => this.relist(signal), signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('pleg is stopping', { code: 'cancelled' }));
    await this.loop;
  }

  watch(listener: (event: PodLifecycleEvent) => void): () => void {
    return this.podRelist.watch((event) => {
      if (this.loop !== undefined && !this.stopping.signal.aborted) listener(event);
    });
  }

  healthy(): Health {
    if (this.lastRelist === undefined) return { ok: false, reason: 'pleg has yet to be successful' };
    const ageMs = this.clock.monotonic() - this.lastRelist.atMs;
    const thresholdMs = this.config.relistThresholdMs;
    this.lastSeen.set(Math.floor(this.lastRelist.wallMs / 1000));
    if (ageMs <= thresholdMs) return { ok: true };
    const reason = `pleg was last seen active ${formatGoDuration(ageMs)} ago; threshold is ${formatGoDuration(thresholdMs)}`;
    return { ok: false, reason };
  }

  requestRelist(podUid: string, options: RelistOptions = {}): void {
    // Who is patient waits for the next relist of all.
    if (this.loop !== undefined && options.patient !== true) this.podRelist.requestRelist(podUid, options);
  }

  private async relist(signal: AbortSignal): Promise<void> {
    // Stamped before the call: a runtime that answers slowly must age the health check.
    const seen = { atMs: this.clock.monotonic(), wallMs: this.clock.now() };
    try {
      await abortable(this.podRelist.relist(), signal);
      this.lastRelist = seen;
    } catch (error) {
      if (!signal.aborted) this.logger.error('relist failed, retrying next period', { error });
    }
  }
}

export interface GenericPlegDeps {
  readonly podRelist: PodRelist;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createGenericPleg(deps: GenericPlegDeps, options: Partial<GenericPlegConfig> = {}): GenericPleg {
  const config = decodeOptions('pleg', genericPlegConfigSchema, options);
  return new GenericPleg(deps.podRelist, deps.clock, deps.logger, deps.metrics, config);
}
