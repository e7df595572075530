import { CLOCK, LOGGER, METRICS, needs, type Needs } from '@podwright/assembly-interface';
import type { Health } from '@podwright/assembly-interface';
import { abortable } from '@podwright/concurrency';
import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { Gauge } from '@podwright/metrics';
import type { Pleg, PodLifecycleEvent, RelistControl, RelistOptions } from '@podwright/pleg-interface';
import { POD_RELIST } from '@podwright/pod-relist-interface';
import { formatGoDuration } from '@podwright/time';
import type { GenericPlegConfig } from './generic-pleg-config.js';

export const genericPlegNeeds = needs({
  podRelist: POD_RELIST,
  clock: CLOCK,
  logger: LOGGER,
  metrics: METRICS,
});

/** {@link Pleg} that relists every pod each period, and a single pod on request. */
export class GenericPleg implements Pleg, RelistControl {
  private readonly stopping = new AbortController();
  private readonly logger: Logger;
  private readonly lastSeen: Gauge;
  private loop: Promise<void> | undefined;
  private lastRelist: { readonly atMs: number; readonly wallMs: number } | undefined;

  constructor(
    private readonly deps: Needs<typeof genericPlegNeeds>,
    private readonly config: GenericPlegConfig,
  ) {
    this.logger = deps.logger.with({ logger: 'pleg' });
    this.lastSeen = deps.metrics.gauge({
      name: 'kubelet_pleg_last_seen_seconds',
      help: 'Timestamp in seconds when PLEG was last seen active.',
    });
  }

  // A runtime that is down is not a start failure: the node must come up and report NotReady.
  async start(): Promise<void> {
    const { signal } = this.stopping;
    this.loop ??= this.deps.clock.every(this.config.relistPeriodMs, () => this.relist(signal), signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('pleg is stopping', { code: 'cancelled' }));
    await this.loop;
  }

  watch(listener: (event: PodLifecycleEvent) => void): () => void {
    return this.deps.podRelist.watch((event) => {
      if (this.loop !== undefined && !this.stopping.signal.aborted) listener(event);
    });
  }

  healthy(): Health {
    if (this.lastRelist === undefined) return { ok: false, reason: 'pleg has yet to be successful' };
    const ageMs = this.deps.clock.monotonic() - this.lastRelist.atMs;
    const thresholdMs = this.config.relistThresholdMs;
    this.lastSeen.set(Math.floor(this.lastRelist.wallMs / 1000));
    if (ageMs <= thresholdMs) return { ok: true };
    const reason = `pleg was last seen active ${formatGoDuration(ageMs)} ago; threshold is ${formatGoDuration(thresholdMs)}`;
    return { ok: false, reason };
  }

  requestRelist(podUid: string, options: RelistOptions = {}): void {
    if (this.loop === undefined) return;
    const patient = options.patient === true || !this.config.onDemandRelist;
    // A patient request waits for the next relist of all pods, which has to know only about inspections.
    if (!patient || options.inspect === true) this.deps.podRelist.requestRelist(podUid, { ...options, patient });
  }

  private async relist(signal: AbortSignal): Promise<void> {
    // Stamped before the call: a runtime that answers slowly must age the health check.
    const seen = { atMs: this.deps.clock.monotonic(), wallMs: this.deps.clock.now() };
    try {
      await abortable(this.deps.podRelist.relist(), signal);
      this.lastRelist = seen;
    } catch (error) {
      if (!signal.aborted) this.logger.error('relist failed, retrying next period', { error });
    }
  }
}
