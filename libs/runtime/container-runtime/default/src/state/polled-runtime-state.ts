import { CLOCK, LOGGER } from '@podwright/assembly-interface';
import { abortable } from '@podwright/concurrency';
import type { RuntimeState, RuntimeStateRefresh } from '@podwright/container-runtime-interface';
import type { RuntimeFeatures, RuntimeHandler, RuntimeService, StatusResponse } from '@podwright/cri-client-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { conditionErrors } from './runtime-conditions.js';
import type { RuntimeStateConfig } from './runtime-state-config.js';
import { RUNTIME_STATE_CONFIG } from './runtime-state-config.js';

/** {@link RuntimeState} that asks the runtime again and again. */
@injectable()
export class PolledRuntimeState implements RuntimeState, RuntimeStateRefresh {
  private readonly stopping = new AbortController();
  private readonly healthChecks = new Map<string, () => string | undefined>();
  private readonly listeners = new Set<() => void>();
  private loop: Promise<void> | undefined;
  private polling: Promise<void> | undefined;
  private lastGoodAt: number | undefined;
  private lastFailureLoggedAt: number | undefined;
  private runtimeError: string | undefined;
  // Upstream's text before the first answer.
  private networkError: string | undefined = 'network state unknown';
  private lastHandlers: readonly RuntimeHandler[] = [];
  private lastFeatures: RuntimeFeatures | undefined;
  private reported = '';

  constructor(
    @inject(RUNTIME_SERVICE) private readonly runtime: Pick<RuntimeService, 'status'>,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(RUNTIME_STATE_CONFIG) private readonly config: RuntimeStateConfig,
  ) {}

  /** Resolves after the first answer, good or bad: a runtime that is down makes the node NotReady, not fail to start. */
  async start(): Promise<void> {
    if (this.loop !== undefined || this.stopping.signal.aborted) return;
    const first = this.refresh();
    this.loop = this.keepPolling(first);
    // A runtime that hangs must not hold up the start of the others.
    const patience = new Promise<void>((resolve) => {
      const timer = this.clock.setTimer(this.config.pollPeriodMs, resolve);
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
    else if (this.clock.monotonic() - this.lastGoodAt >= this.config.downAfterMs)
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
      const stopped = await this.clock.sleep(pauseMs, this.stopping.signal).then(
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
      this.take(await abortable(this.runtime.status({ verbose: false }, options), this.stopping.signal));
    } catch (error) {
      if (!this.stopping.signal.aborted) this.logFailure(error);
    }
    this.tellListeners();
  }

  private take(answer: StatusResponse): void {
    const { runtime, network } = conditionErrors(answer);
    if (network !== undefined && network !== this.networkError) this.logger.error(network);
    this.networkError = network;
    if (runtime !== undefined && runtime !== this.runtimeError) this.logger.error(runtime);
    this.runtimeError = runtime;
    // A runtime that says it is not ready is not seen as alive either.
    if (runtime !== undefined) return;
    this.lastHandlers = answer.runtimeHandlers;
    this.lastFeatures = answer.features;
    this.lastGoodAt = this.clock.monotonic();
  }

  /** At most once per period: at the start the polls come much faster. */
  private logFailure(error: unknown): void {
    const now = this.clock.monotonic();
    if (this.lastFailureLoggedAt !== undefined && now - this.lastFailureLoggedAt < this.config.pollPeriodMs) return;
    this.lastFailureLoggedAt = now;
    this.logger.error('Container runtime sanity check failed', { error });
  }

  private tellListeners(): void {
    const errors = JSON.stringify([this.runtimeErrors(), this.networkErrors()]);
    if (errors === this.reported) return;
    this.reported = errors;
    for (const listener of this.listeners) listener();
  }
}
