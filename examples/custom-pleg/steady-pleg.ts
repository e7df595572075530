// A pleg of your own, which assembly.yaml puts into the kubelet. Removing the types makes it JavaScript, so Node 22.18 and later
// load it as it is.
import { CLOCK, defineConfig, defineModule, durationMsField, LOGGER, needs } from '@podwright/assembly-interface';
import type { Health, Needs } from '@podwright/assembly-interface';
import { abortable } from '@podwright/concurrency';
import { PLEG, RELIST_CONTROL } from '@podwright/pleg-interface';
import type { Pleg, PodLifecycleEvent, RelistControl, RelistOptions } from '@podwright/pleg-interface';
import { POD_RELIST } from '@podwright/pod-relist-interface';

const steadyPlegNeeds = needs({ podRelist: POD_RELIST, clock: CLOCK, logger: LOGGER });

interface SteadyPlegConfig {
  readonly periodMs: number;
}

/** Relists every pod each period, and one at once for whoever asks. */
class SteadyPleg implements Pleg, RelistControl {
  private readonly deps: Needs<typeof steadyPlegNeeds>;
  private readonly config: SteadyPlegConfig;
  private readonly stopping = new AbortController();
  private loop: Promise<void> | undefined;
  private lastRelistMs: number | undefined;

  constructor(deps: Needs<typeof steadyPlegNeeds>, config: SteadyPlegConfig) {
    this.deps = deps;
    this.config = config;
  }

  async start(): Promise<void> {
    const { clock, logger } = this.deps;
    const { periodMs } = this.config;
    logger.info('Relisting every pod', { periodMs });
    this.loop ??= clock.every(periodMs, () => this.relist(), this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop;
  }

  watch(listener: (event: PodLifecycleEvent) => void): () => void {
    return this.deps.podRelist.watch((event) => {
      if (!this.stopping.signal.aborted) listener(event);
    });
  }

  requestRelist(podUid: string, options?: RelistOptions): void {
    this.deps.podRelist.requestRelist(podUid, options);
  }

  healthy(): Health {
    if (this.lastRelistMs === undefined) return { ok: false, reason: 'pleg has yet to be successful' };
    const ageMs = this.deps.clock.monotonic() - this.lastRelistMs;
    return ageMs <= 180_000 ? { ok: true } : { ok: false, reason: `the last relist is ${ageMs} ms old` };
  }

  private async relist(): Promise<void> {
    const { podRelist, clock, logger } = this.deps;
    const startedMs = clock.monotonic();
    try {
      await abortable(podRelist.relist(), this.stopping.signal);
      this.lastRelistMs = startedMs;
    } catch (error) {
      if (!this.stopping.signal.aborted) logger.error('Relist failed, the next one comes in a period', { error });
    }
  }
}

export default defineModule({
  name: 'steady-pleg',
  provides: [PLEG, RELIST_CONTROL],
  needs: steadyPlegNeeds,
  config: defineConfig<SteadyPlegConfig>({ periodMs: durationMsField(500, { min: 1 }) }),
  create: (deps, config) => new SteadyPleg(deps, config),
});
