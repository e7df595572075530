import type { Health } from '@podwright/assembly-interface';
import { Mutex } from '@podwright/concurrency';
import type { NodeStatusReporter } from '@podwright/node-status-interface';
import { jitter, namedRandom } from '@podwright/time';
import { readHostNetwork } from '../addresses/host-network.js';
import { startReporting, type Reporting } from './reporting.js';
import type { ReporterConfig } from './reporter-config.js';
import type { NodeStatusReporterNeeds } from './reporter-needs.js';

// Upstream's numbers.
const roundJitter = 0.04;
const fastPeriodMs = 100;
const fastLastsMs = 120_000;

/**
 * {@link NodeStatusReporter} that registers the node and then sends changes of its status periodically. Source:
 * kubernetes v1.36 pkg/kubelet/kubelet_node_status.go syncNodeStatus, fastNodeStatusUpdate.
 */
export class ApiNodeStatusReporter implements NodeStatusReporter {
  private readonly stopping = new AbortController();
  // Upstream's syncNodeStatusMux: the periodic rounds and the fast loop at the start never overlap.
  private readonly rounds = new Mutex();
  private readonly loops: Promise<unknown>[] = [];
  private started: Promise<void> | undefined;
  private reporting: Reporting | undefined;
  private updateWaits = false;
  private unsubscribe: readonly (() => void)[] = [];

  constructor(
    private readonly deps: NodeStatusReporterNeeds,
    private readonly config: ReporterConfig,
  ) {}

  /** Resolves when the machine has been read; rejects when that fails. */
  start(): Promise<void> {
    this.started ??= this.begin();
    return this.started;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
    await this.started?.catch(() => undefined);
    await Promise.all([...this.loops, this.reporting?.ended()]);
  }

  registered(): boolean {
    return this.reporting?.registration.completed === true || this.deps.node.current() !== undefined;
  }

  requestUpdate(): void {
    // A waiting update will include every change until its turn comes.
    if (this.updateWaits || this.reporting === undefined || this.stopping.signal.aborted) return;
    this.updateWaits = true;
    const update = this.rounds.run(async () => {
      this.updateWaits = false;
      await this.round();
    });
    this.loops.push(update);
    void update.finally(() => this.loops.splice(this.loops.indexOf(update), 1));
  }

  healthy(): Health {
    const { reporting } = this;
    if (reporting === undefined) return { ok: false, reason: 'node-status is not started' };
    const { registration, sender } = reporting;
    if (!this.registered()) {
      return { ok: false, reason: `the node is not registered: ${registration.lastFailure ?? 'not tried yet'}` };
    }
    return sender.lastFailure === undefined ? { ok: true } : { ok: false, reason: sender.lastFailure };
  }

  private async begin(): Promise<void> {
    const { signal } = this.stopping;
    if (signal.aborted) return;
    const { hostRoot } = this.config;
    const { client, node, runtimeState, connection, runtime, images, recorder, metrics, clock, random, logger } =
      this.deps;
    const { config } = this;
    const { pressure, readiness, shutdown, volumes, devices, journal } = this.deps;
    this.reporting = await startReporting(
      {
        ...{ client, node, runtimeState, connection, runtime, images, recorder, metrics, clock, random, logger },
        ...{ pressure, readiness, shutdown, volumes, devices, journal },
        network: this.deps.network ?? readHostNetwork(hostRoot),
      },
      config,
      signal,
    );
    if (signal.aborted) return;
    const update = (): void => this.requestUpdate();
    // A volume is attached only once the status has it, so the status with it does not wait for the next round.
    this.unsubscribe = [shutdown?.watch(update), volumes?.watch(update)].filter((watched) => watched !== undefined);
    this.loops.push(this.keepReporting(), this.becomeReadyFast());
  }

  private async keepReporting(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.rounds.run(() => this.round());
      await this.pause(
        jitter(namedRandom(this.deps.random, 'node-status round'), this.config.statusUpdateFrequencyMs, roundJitter),
      );
    }
  }

  /** One update; registers first if the kubelet has to and has not yet. */
  private async round(): Promise<void> {
    const { signal } = this.stopping;
    const { reporting } = this;
    if (reporting === undefined || signal.aborted) return;
    if (this.config.registerNode) await reporting.registration.register(signal);
    if (!signal.aborted) await reporting.sender.round(signal);
  }

  /** Reports Ready as soon as the runtime is ready, without waiting for the next round; gives up after two minutes. */
  private async becomeReadyFast(): Promise<void> {
    const { signal } = this.stopping;
    const startedAt = this.deps.clock.monotonic();
    while (!signal.aborted) {
      const done = await this.rounds.run(async () => {
        if (this.deps.clock.monotonic() - startedAt >= fastLastsMs) {
          this.deps.logger.error('Node not becoming ready in time after startup', { node: this.config.nodeName });
          return true;
        }
        return this.readyNow(signal);
      });
      if (done) return;
      await this.pause(fastPeriodMs);
    }
  }

  private async readyNow(signal: AbortSignal): Promise<boolean> {
    const { reporting } = this;
    const original = this.deps.node.current();
    const ready = (node: typeof original): string | undefined =>
      node?.status?.conditions?.find(({ type }) => type === 'Ready')?.status;
    if (reporting === undefined || original === undefined || ready(original) === undefined) return false;
    if (ready(original) === 'True') return true;
    await this.deps.refresh?.refresh();
    const { node, changed } = await reporting.sender.updated(original);
    if (!changed || ready(node) !== 'True' || signal.aborted) return false;
    this.deps.logger.info('Fast updating node status as it just became ready', { node: this.config.nodeName });
    try {
      await reporting.sender.send(original, node, signal);
    } catch (error) {
      this.deps.logger.debug(2, 'Error updating node status, will retry with syncNodeStatus', { error });
      await this.round();
    }
    return true;
  }

  private async pause(ms: number): Promise<void> {
    await this.deps.clock.sleep(ms, this.stopping.signal).catch(() => undefined);
  }
}
