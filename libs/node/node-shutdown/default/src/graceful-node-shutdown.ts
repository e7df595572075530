import type { AdmissionCheck } from '@podwright/admission-interface';
import { CLOCK, LOGGER, METRICS, needs, pick, type Needs } from '@podwright/assembly-interface';
import { removeLeftovers } from '@podwright/checkpoint';
import { EVENT_RECORDER } from '@podwright/events-interface';
import type { NodeShutdownManager } from '@podwright/node-shutdown-interface';
import { ACTIVE_PODS, POD_WORKERS } from '@podwright/pod-workers-interface';
import { STATUS_DELIVERY } from '@podwright/status-interface';
import { VOLUME_MANAGER } from '@podwright/volume-interface';
import type { GracefulNodeShutdownConfig, PriorityGracePeriod } from './graceful-node-shutdown-config.js';
import type { ConnectLogind } from './logind.js';
import { LogindWatch } from './logind-watch.js';
import { PodShutdown } from './pod-shutdown.js';
import { ShutdownRecord } from './shutdown-record.js';
import { longestShutdownMs, shutdownGroups, shutdownSchedule } from './shutdown-schedule.js';
import { connectSystemdLogind } from './systemd-logind.js';

// Upstream's pause before it reconnects to logind.
const reconnectPeriodMs = 1_000;

export const gracefulNodeShutdownNeeds = needs({
  activePods: ACTIVE_PODS,
  workers: pick(POD_WORKERS, 'killPodNow'),
  volumes: pick(VOLUME_MANAGER, 'waitForUnmount'),
  delivery: STATUS_DELIVERY,
  events: EVENT_RECORDER,
  clock: CLOCK,
  logger: LOGGER,
  metrics: METRICS,
});
export type GracefulNodeShutdownNeeds = Needs<typeof gracefulNodeShutdownNeeds>;

/** {@link NodeShutdownManager} that listens to logind and holds its inhibitor lock until the pods have ended. */
export class GracefulNodeShutdown implements NodeShutdownManager {
  private readonly schedule: readonly PriorityGracePeriod[];
  private readonly podShutdown: PodShutdown;
  private readonly record: ShutdownRecord;
  private readonly listeners = new Set<(shuttingDown: boolean) => void>();
  private readonly stopping = new AbortController();
  private shuttingDown = false;
  private watching: Promise<void> = Promise.resolve();
  private termination: Promise<void> | undefined;
  private loggedFailure: string | undefined;

  constructor(
    private readonly deps: GracefulNodeShutdownNeeds,
    private readonly config: GracefulNodeShutdownConfig,
    private readonly connectLogind = connectSystemdLogind,
  ) {
    const { workers, volumes, delivery, clock, logger, metrics } = deps;
    this.schedule = shutdownSchedule(config);
    this.podShutdown = new PodShutdown({ workers, volumes, delivery, clock, logger });
    this.record = new ShutdownRecord(config.rootDir, metrics, clock, logger);
  }

  async start(): Promise<void> {
    await removeLeftovers([this.record.file, this.config.logindConfFile], this.deps.logger);
    if (this.schedule.length === 0 || this.stopping.signal.aborted) return;
    await this.record.load();
    const first = await this.openWatch();
    this.watching = this.watchForGood(first);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.listeners.clear();
    await this.watching;
  }

  /** Rejects pods while the node shuts down; accepts all after `stop()`. */
  admissionCheck(): AdmissionCheck {
    const message = 'Pod was rejected as the node is shutting down.';
    const refusal = { admit: false, reason: 'NodeShutdown', message } as const;
    return {
      stage: 'node-shutdown',
      check: () => (this.shuttingDown && !this.stopping.signal.aborted ? refusal : undefined),
    };
  }

  isShuttingDown(): boolean {
    return this.shuttingDown;
  }

  shutdownError(): string | undefined {
    return this.shuttingDown ? 'node is shutting down' : undefined;
  }

  watch(listener: (shuttingDown: boolean) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  handleTermination(): Promise<void> {
    if (!this.config.endPodsOnTermination || this.schedule.length === 0) return Promise.resolve();
    this.termination ??= this.shutDown('the kubelet was told to end');
    return this.termination;
  }

  private async openWatch(): Promise<LogindWatch | undefined> {
    const { config } = this;
    const { clock, logger } = this.deps;
    let reached = false;
    const connect: ConnectLogind = async (signal) => {
      const logind = await this.connectLogind(config, signal);
      reached = true;
      return logind;
    };
    try {
      const watch = await LogindWatch.open(
        { connect, clock, logger },
        longestShutdownMs(this.schedule),
        this.stopping.signal,
      );
      this.loggedFailure = undefined;
      return watch;
    } catch (error) {
      const failure = reached
        ? 'Graceful node shutdown cannot hold the shutdown up, though logind is there: pods are not ended in time when the machine goes down'
        : 'Graceful node shutdown has to do without logind: pods are not ended when the machine goes down';
      // Log once: a machine without systemd would fill its log.
      if (!this.stopping.signal.aborted && this.loggedFailure !== failure)
        logger.warn(failure, { error, retryPeriodMs: reconnectPeriodMs });
      this.loggedFailure = failure;
      return undefined;
    }
  }

  private async watchForGood(first: LogindWatch | undefined): Promise<void> {
    const { signal } = this.stopping;
    let watch = first;
    while (!signal.aborted) {
      if (watch !== undefined) await this.follow(watch);
      if (signal.aborted) return;
      await this.deps.clock.sleep(reconnectPeriodMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      this.deps.logger.debug(watch === undefined ? 4 : 1, 'Restarting watch for node shutdown events');
      watch = await this.openWatch();
    }
  }

  /**
   * Handles the announcements of one connection, one after another, until the connection is lost or the manager stops.
   */
  private async follow(watch: LogindWatch): Promise<void> {
    const { signal } = this.stopping;
    let work: Promise<void> = Promise.resolve();
    const stopped = new Promise<undefined>((resolve) =>
      signal.addEventListener('abort', () => resolve(undefined), { once: true }),
    );
    try {
      await watch.onShutdown((shuttingDown) => {
        work = work
          .then(() => this.onAnnouncement(watch, shuttingDown))
          .catch((error: unknown) => this.deps.logger.error('Shutdown announcement was not dealt with', { error }));
      });
      const reason = await Promise.race([watch.lost, stopped]);
      if (!signal.aborted) this.deps.logger.warn('Ended to watching the node for shutdown events', { error: reason });
    } catch (error) {
      if (!signal.aborted) this.deps.logger.error('Node shutdown events cannot be watched', { error });
    } finally {
      await work;
      await watch.close();
    }
  }

  private async onAnnouncement(watch: LogindWatch, shuttingDown: boolean): Promise<void> {
    this.deps.logger.info('Shutdown manager detected new shutdown event', { isNodeShuttingDownNow: shuttingDown });
    if (!shuttingDown) {
      this.event('Shutdown manager detected shutdown cancellation');
      this.set(false);
      await watch.takeLock(this.stopping.signal);
      return;
    }
    this.event('Shutdown manager detected shutdown event');
    try {
      await this.shutDown('the machine goes down');
    } finally {
      await watch.releaseLock();
    }
  }

  private async shutDown(why: string): Promise<void> {
    this.set(true);
    const startMs = await this.record.began();
    const groups = shutdownGroups(this.schedule, this.deps.activePods.list());
    this.deps.logger.info('Shutdown manager processing shutdown event', {
      why,
      pods: groups.flatMap(({ pods }) => pods).length,
    });
    await this.podShutdown.end(groups, this.stopping.signal);
    await this.record.ended(startMs);
    this.deps.logger.info('Shutdown manager completed processing shutdown event, node will shutdown shortly');
  }

  private event(message: string): void {
    this.deps.events.event({ kind: 'Node' }, 'Normal', 'Shutdown', message);
  }

  private set(shuttingDown: boolean): void {
    if (this.shuttingDown === shuttingDown) return;
    this.shuttingDown = shuttingDown;
    for (const listener of this.listeners) listener(shuttingDown);
  }
}
