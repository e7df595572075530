import { ADMISSION_HANDLERS, type AdmissionHandlers } from '@podwright/admission-interface';
import { CLOCK, LOGGER, METRICS } from '@podwright/assembly-interface';
import { EVENT_RECORDER, type EventRecorder } from '@podwright/events-interface';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { NodeShutdownManager } from '@podwright/node-shutdown-interface';
import { ACTIVE_PODS, POD_WORKERS, type ActivePods, type PodWorkers } from '@podwright/pod-workers-interface';
import { STATUS_DELIVERY, type StatusDelivery } from '@podwright/status-interface';
import type { Clock } from '@podwright/time';
import { VOLUME_MANAGER, type VolumeManager } from '@podwright/volume-interface';
import { inject, injectable } from 'tsyringe';
import {
  GRACEFUL_NODE_SHUTDOWN_CONFIG,
  type GracefulNodeShutdownConfig,
  type PriorityGracePeriod,
} from './graceful-node-shutdown-config.js';
import type { ConnectLogind } from './logind.js';
import { LogindWatch } from './logind-watch.js';
import { PodShutdown } from './pod-shutdown.js';
import { ShutdownRecord } from './shutdown-record.js';
import { longestShutdownMs, shutdownGroups, shutdownSchedule } from './shutdown-schedule.js';
import { connectSystemdLogind } from './systemd-logind.js';

// Upstream's pause before it looks for logind again.
const reconnectPeriodMs = 1_000;

/** {@link NodeShutdownManager} that is told by logind and holds its inhibitor lock until the pods have ended. */
@injectable()
export class GracefulNodeShutdown implements NodeShutdownManager {
  private readonly schedule: readonly PriorityGracePeriod[];
  private readonly podShutdown: PodShutdown;
  private readonly record: ShutdownRecord;
  private readonly listeners = new Set<(shuttingDown: boolean) => void>();
  private readonly stopping = new AbortController();
  private shuttingDown = false;
  private removeHandler = (): void => undefined;
  private watching: Promise<void> = Promise.resolve();
  private termination: Promise<void> | undefined;
  private toldTrouble: string | undefined;

  constructor(
    @inject(ACTIVE_PODS) private readonly activePods: ActivePods,
    @inject(POD_WORKERS) workers: Pick<PodWorkers, 'killPodNow'>,
    @inject(VOLUME_MANAGER) volumes: Pick<VolumeManager, 'waitForUnmount'>,
    @inject(STATUS_DELIVERY) delivery: StatusDelivery,
    @inject(ADMISSION_HANDLERS) private readonly admission: AdmissionHandlers,
    @inject(EVENT_RECORDER) private readonly events: EventRecorder,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(METRICS) metrics: MetricsRegistry,
    @inject(GRACEFUL_NODE_SHUTDOWN_CONFIG) private readonly config: GracefulNodeShutdownConfig,
  ) {
    this.schedule = shutdownSchedule(config);
    this.podShutdown = new PodShutdown({ workers, volumes, delivery, clock, logger });
    this.record = new ShutdownRecord(config.rootDir, metrics, clock, logger);
  }

  async start(): Promise<void> {
    if (this.schedule.length === 0 || this.stopping.signal.aborted) return;
    this.removeHandler = this.admission.add('node-shutdown', async () =>
      this.shuttingDown
        ? { admit: false, reason: 'NodeShutdown', message: 'Pod was rejected as the node is shutting down.' }
        : undefined,
    );
    const first = await this.openWatch();
    this.watching = this.watchForGood(first);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.removeHandler();
    this.listeners.clear();
    await this.watching;
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
    const { clock, logger, config } = this;
    let reached = false;
    const connect: ConnectLogind = async (signal) => {
      const logind = await connectSystemdLogind(config, signal);
      reached = true;
      return logind;
    };
    try {
      const watch = await LogindWatch.open(
        { connect, clock, logger },
        longestShutdownMs(this.schedule),
        this.stopping.signal,
      );
      this.toldTrouble = undefined;
      return watch;
    } catch (error) {
      const trouble = reached
        ? 'Graceful node shutdown cannot hold the shutdown up, though logind is there: pods are not ended in time when the machine goes down'
        : 'Graceful node shutdown has to do without logind: pods are not ended when the machine goes down';
      // Said once: a machine without systemd would fill its log.
      if (!this.stopping.signal.aborted && this.toldTrouble !== trouble)
        logger.warn(trouble, { error, retryPeriodMs: reconnectPeriodMs });
      this.toldTrouble = trouble;
      return undefined;
    }
  }

  private async watchForGood(first: LogindWatch | undefined): Promise<void> {
    const { signal } = this.stopping;
    let watch = first;
    while (!signal.aborted) {
      if (watch !== undefined) await this.follow(watch);
      if (signal.aborted) return;
      await this.clock.sleep(reconnectPeriodMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      this.logger.debug(watch === undefined ? 4 : 1, 'Restarting watch for node shutdown events');
      watch = await this.openWatch();
    }
  }

  /** Deals with the announcements of one connection, one after the other, until it is lost or the manager stops. */
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
          .catch((error: unknown) => this.logger.error('Shutdown announcement was not dealt with', { error }));
      });
      const reason = await Promise.race([watch.lost, stopped]);
      if (!signal.aborted) this.logger.warn('Ended to watching the node for shutdown events', { error: reason });
    } catch (error) {
      if (!signal.aborted) this.logger.error('Node shutdown events cannot be watched', { error });
    } finally {
      await work;
      await watch.close();
    }
  }

  private async onAnnouncement(watch: LogindWatch, shuttingDown: boolean): Promise<void> {
    this.logger.info('Shutdown manager detected new shutdown event', { isNodeShuttingDownNow: shuttingDown });
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
    const groups = shutdownGroups(this.schedule, this.activePods.list());
    this.logger.info('Shutdown manager processing shutdown event', {
      why,
      pods: groups.flatMap(({ pods }) => pods).length,
    });
    await this.podShutdown.end(groups, this.stopping.signal);
    await this.record.ended(startMs);
    this.logger.info('Shutdown manager completed processing shutdown event, node will shutdown shortly');
  }

  private event(message: string): void {
    this.events.event({ kind: 'Node' }, 'Normal', 'Shutdown', message);
  }

  private set(shuttingDown: boolean): void {
    if (this.shuttingDown === shuttingDown) return;
    this.shuttingDown = shuttingDown;
    for (const listener of this.listeners) listener(shuttingDown);
  }
}
