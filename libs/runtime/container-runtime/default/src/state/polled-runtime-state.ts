import { CLOCK, LOGGER, needs, pick, type Needs } from '@podwright/assembly-interface';
import { abortable } from '@podwright/concurrency';
import type { RuntimeState, RuntimeStateRefresh } from '@podwright/container-runtime-interface';
import type { RuntimeFeatures, RuntimeHandler, StatusResponse } from '@podwright/cri-client-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { conditionErrors } from './runtime-conditions.js';
import type { RuntimeStateConfig } from './runtime-state-config.js';

export const runtimeStateNeeds = needs({ runtime: pick(RUNTIME_SERVICE, 'status'), clock: CLOCK, logger: LOGGER });

/** {@link RuntimeState} that polls the runtime. */
export class PolledRuntimeState implements RuntimeState, RuntimeStateRefresh {
  private readonly stopping = new AbortController();
  private readonly healthChecks = new Map<string, () => string | undefined>();
  private readonly listeners = new Set<() => void>();
  private loop: Promise<void> | undefined;
  private polling: Promise<void> | undefined;
  private lastGoodAt: number | undefined;
  private lastFailureLoggedAt: number | undefined;
  private runtimeError: string | undefined;
  // Upstream's text until the first answer.
  private networkError: string | undefined = 'network state unknown';
  private lastHandlers: readonly RuntimeHandler[] = [];
  private lastFeatures: RuntimeFeatures | undefined;
  private reported = '';

  constructor(
    private readonly deps: Needs<typeof runtimeStateNeeds>,
    private readonly config: RuntimeStateConfig,
  ) {}

  /**
   * Resolves after the first answer or failure, or after one poll period. A runtime that is down makes the node
   * NotReady; it does not fail the start.
   */
  async start(): Promise<void> {
    if (this.loop !== undefined || this.stopping.signal.aborted) return;
    const first = this.refresh();
    this.loop = this.keepPolling(first);
    // A runtime that hangs must not delay the start of other modules.
    const patience = new Promise<void>((resolve) => {
      const timer = this.deps.clock.setTimer(this.config.pollPeriodMs, resolve);
      void first.then(() => timer.cancel());
    });
    await Promise.race([first, patience]);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop;
  }

  runtimeErrors(): readonly string[] {
    const errors: string[] = [];
    if (this.lastGoodAt === undefined) errors.push('container runtime status check may not have completed yet');
    else if (this.deps.clock.monotonic() - this.lastGoodAt >= this.config.downAfterMs)
      errors.push('container runtime is down');
    for (const [name, check] of this.healthChecks) {
      const problem = check();
      if (problem !== undefined) errors.push(`${name} is not healthy: ${problem}`);
    }
    if (this.runtimeError !== undefined) errors.push(this.runtimeError);
    return errors;
  }

  networkErrors(): readonly string[] {
    return this.networkError === undefined ? [] : [this.networkError];
  }

  handlers(): readonly RuntimeHandler[] {
    return this.lastHandlers;
  }

  features(): RuntimeFeatures | undefined {
    return this.lastFeatures;
  }

  addHealthCheck(name: string, check: () => string | undefined): () => void {
    this.healthChecks.set(name, check);
    return () => {
      if (this.healthChecks.get(name) === check) this.healthChecks.delete(name);
    };
  }

  refresh(): Promise<void> {
    if (this.stopping.signal.aborted) return Promise.resolve();
    this.polling ??= this.poll().finally(() => (this.polling = undefined));
    return this.polling;
  }

  watch(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private async keepPolling(first: Promise<void>): Promise<void> {
    await first;
    while (!this.stopping.signal.aborted) {
      const { pollPeriodMs, startPollPeriodMs } = this.config;
      const pauseMs = this.lastGoodAt === undefined ? Math.min(startPollPeriodMs, pollPeriodMs) : pollPeriodMs;
      const stopped = await this.deps.clock.sleep(pauseMs, this.stopping.signal).then(
        () => false,
        () => true,
      );
      if (!stopped) await this.refresh();
    }
  }

  /** Never rejects. */
  private async poll(): Promise<void> {
    try {
      const options = { signal: this.stopping.signal, timeoutMs: this.config.downAfterMs };
      this.take(await abortable(this.deps.runtime.status({ verbose: false }, options), this.stopping.signal));
    } catch (error) {
      if (!this.stopping.signal.aborted) this.logFailure(error);
    }
    this.tellListeners();
  }

  private take(answer: StatusResponse): void {
    const { runtime, network } = conditionErrors(answer);
    if (network !== undefined && network !== this.networkError) this.deps.logger.error(network);
    this.networkError = network;
    if (runtime !== undefined && runtime !== this.runtimeError) this.deps.logger.error(runtime);
    this.runtimeError = runtime;
    // A runtime that reports it is not ready counts as down too.
    if (runtime !== undefined) return;
    this.lastHandlers = answer.runtimeHandlers;
    this.lastFeatures = answer.features;
    this.lastGoodAt = this.deps.clock.monotonic();
  }

  /** Logs at most once per period; at the start, polls are much more frequent. */
  private logFailure(error: unknown): void {
    const now = this.deps.clock.monotonic();
    if (this.lastFailureLoggedAt !== undefined && now - this.lastFailureLoggedAt < this.config.pollPeriodMs) return;
    this.lastFailureLoggedAt = now;
    this.deps.logger.error('Container runtime sanity check failed', { error });
  }

  private tellListeners(): void {
    const errors = JSON.stringify([this.runtimeErrors(), this.networkErrors()]);
    if (errors === this.reported) return;
    this.reported = errors;
    for (const listener of this.listeners) listener();
  }
}
