import { CLOCK, LOGGER, METRICS, RANDOM, decodeOptions, type Health } from '@podwright/assembly-interface';
import { CGROUP_STATS, type CgroupStats } from '@podwright/cgroup-stats-interface';
import { IMAGE_SERVICE, RUNTIME_SERVICE, type ImageService } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import { TroubleLog, type Logger } from '@podwright/logging';
import { defaultBuckets, type MetricFamily, type MetricsRegistry, type MetricsSource } from '@podwright/metrics';
import { POD_MANAGER, type PodManager } from '@podwright/pod-manager-interface';
import type { ImageFsStats, PodStats, StatsProvider, Summary, SummaryOptions } from '@podwright/stats-interface';
import { STATUS_MANAGER, type StatusManager } from '@podwright/status-interface';
import { yieldToEventLoop, type Clock, type Random } from '@podwright/time';
import { VOLUME_MANAGER, type VolumeManager } from '@podwright/volume-interface';
import { inject, injectable } from 'tsyringe';
import { WorkerDiskUsage } from './disk-usage/worker-disk-usage.js';
import { FileSystems } from './file-systems/file-systems.js';
import { createResourceMetrics } from './metrics/resource-metrics.js';
import { SummaryMetrics } from './metrics/summary-metrics.js';
import {
  ON_DEMAND_STATS_CONFIG,
  onDemandStatsConfigSchema,
  type OnDemandStatsConfig,
} from './on-demand-stats-config.js';
import { CgroupPodStats } from './pods/cgroup-pod-stats.js';
import { CriPodStats, type StatsRuntime } from './pods/cri-pod-stats.js';
import { PodFilesReader } from './pods/pod-files.js';
import type { PodStatsSource } from './pods/pod-stats-source.js';
import { PodStorage } from './pods/pod-storage.js';
import { RuntimeFileSystems } from './pods/runtime-file-systems.js';
import { UsageNanoCores } from './readings/usage-nano-cores.js';
import { withWholeSeconds } from './readings/wire-time.js';
import { SharedReading } from './shared-reading.js';
import { SummaryCollector } from './summary-collector.js';
import { PodVolumeStats } from './volumes/pod-volume-stats.js';

export interface OnDemandStatsDeps {
  readonly runtime: StatsRuntime;
  readonly images: Pick<ImageService, 'imageFsInfo'>;
  readonly cgroups: Pick<CgroupStats, 'sample' | 'samples' | 'roots' | 'machine'>;
  readonly pods: Pick<PodManager, 'getPods'>;
  readonly volumes: Pick<VolumeManager, 'getMountedVolumes'>;
  readonly statuses: Pick<StatusManager, 'getPodStatus'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

// CRI-O's socket, whatever is before it: such as unix:///var.
const crioSocket = 'run/crio/crio.sock';
const podsPerSlice = 20;

/**
 * {@link StatsProvider} without loops: everything is read when somebody asks, by one reading for all who ask at a time. Also what
 * `/metrics/resource` shows. Source: kubernetes v1.36 pkg/kubelet/stats, pkg/kubelet/server/stats.
 */
@injectable()
export class OnDemandStats implements StatsProvider, ImageFsStats, MetricsSource {
  private readonly diskUsage: WorkerDiskUsage;
  private readonly volumeStats: PodVolumeStats;
  private readonly collector: SummaryCollector;
  private readonly full: SharedReading<Summary>;
  private readonly reduced: SharedReading<{ readonly asRead: Summary; readonly wire: Summary }>;
  private readonly resource: MetricsSource;
  private readonly registry: MetricsRegistry;
  private readonly summaryMetrics: SummaryMetrics;
  private readonly background: TroubleLog;
  private readonly clock: Clock;
  private refreshing: Promise<void> | undefined;
  private shownAt: number | undefined;
  private state: 'new' | 'started' | 'stopped' = 'new';
  private readonly stopping = new AbortController();
  private readonly source: PodStatsSource;

  constructor(
    @inject(RUNTIME_SERVICE) runtime: StatsRuntime,
    @inject(IMAGE_SERVICE) images: Pick<ImageService, 'imageFsInfo'>,
    @inject(CGROUP_STATS) cgroups: OnDemandStatsDeps['cgroups'],
    @inject(POD_MANAGER) pods: Pick<PodManager, 'getPods'>,
    @inject(VOLUME_MANAGER) volumes: Pick<VolumeManager, 'getMountedVolumes'>,
    @inject(STATUS_MANAGER) statuses: Pick<StatusManager, 'getPodStatus'>,
    @inject(CLOCK) clock: Clock,
    @inject(RANDOM) random: Random,
    @inject(LOGGER) logger: Logger,
    @inject(METRICS) registry: MetricsRegistry,
    @inject(ON_DEMAND_STATS_CONFIG) private readonly config: OnDemandStatsConfig,
  ) {
    this.clock = clock;
    this.registry = registry;
    this.diskUsage = new WorkerDiskUsage(clock, { limitMs: config.countLimitMs });
    const fileSystems = new FileSystems(clock, config.fileSystemTimeoutMs);
    const { diskUsage } = this;
    const duration = registry.histogram({
      name: 'kubelet_volume_metric_collection_duration_seconds',
      help: 'Duration in seconds to calculate volume stats',
      labels: ['metric_source'],
      buckets: defaultBuckets,
    });
    this.volumeStats = new PodVolumeStats(
      { volumes, diskUsage, fileSystems, clock, random, logger, duration },
      config.volumeStatsAggPeriodMs,
    );
    const trouble = (): TroubleLog => new TroubleLog(logger, clock);
    const usesCri = !config.runtimeEndpoint.endsWith(crioSocket) || config.podAndContainerStatsFromCri;
    const files = new PodFilesReader(diskUsage, clock, trouble(), {
      rootDir: config.rootDir,
      podLogsDir: config.podLogsDir,
      timeoutMs: config.logsTimeoutMs,
    });
    const { volumeWaitMs } = config;
    const storage = new PodStorage(files, this.volumeStats, pods, { volumeWaitMs, countsLogInodes: usesCri });
    const runtimeFs = new RuntimeFileSystems(images, fileSystems, trouble());
    const shared = { runtime, cgroups, runtimeFs, storage, yieldTurn: yieldToEventLoop };
    this.source = usesCri
      ? new CriPodStats(
          { ...shared, usageNanoCores: new UsageNanoCores(), clock, logger },
          config.podAndContainerStatsFromCri,
        )
      : new CgroupPodStats({ ...shared, statuses });
    const collector = (this.collector = new SummaryCollector({
      pods: this.source,
      cgroups,
      fileSystems,
      clock,
      trouble: trouble(),
      nodeName: config.nodeName,
      rootDir: config.rootDir,
      kubeletStartedMs: clock.now(),
    }));
    this.full = new SharedReading(clock, config.maxAgeMs, async (maxAgeMs, signal) => {
      const summary = await inWholeSeconds(await collector.full(maxAgeMs, signal));
      this.show(summary.pods);
      return summary;
    });
    this.reduced = new SharedReading(clock, config.maxAgeMs, async (maxAgeMs, signal) => {
      const asRead = await collector.reduced(maxAgeMs, signal);
      return { asRead, wire: await inWholeSeconds(asRead) };
    });
    this.resource = createResourceMetrics({
      summary: async () => (await this.reduced.get(config.maxAgeMs)).asRead,
      logger,
      showHidden: config.showHiddenMetrics,
    });
    this.background = trouble();
    this.summaryMetrics = new SummaryMetrics(registry, () => this.refreshForMetrics());
  }

  async start(): Promise<void> {
    if (this.state !== 'new') return;
    this.state = 'started';
    const provider = this.registry.gauge({
      name: 'kubelet_metrics_provider',
      help: "Metrics provider used by kubelet to collect container stats. Values can be 'cadvisor' and 'cri'",
      labels: ['provider'],
    });
    provider.set(1, { provider: this.source.name });
  }

  async stop(): Promise<void> {
    this.state = 'stopped';
    this.stopping.abort(new KubeletError('stats are stopping', { code: 'cancelled' }));
    this.summaryMetrics.close();
    await Promise.all([this.full.stop(), this.reduced.stop(), this.volumeStats.stop(), this.diskUsage.stop()]);
    await this.refreshing;
  }

  healthy(): Health {
    return this.state === 'started' ? { ok: true } : { ok: false, reason: `stats are ${this.state}` };
  }

  async summary({ onlyCpuAndMemory, maxAgeMs, podUids, signal }: SummaryOptions = {}): Promise<Summary> {
    this.mustBeStarted();
    const age = maxAgeMs ?? this.config.maxAgeMs;
    if (podUids !== undefined && onlyCpuAndMemory !== true) {
      return inWholeSeconds(await this.collector.full(age, this.untilStopped(signal), new Set(podUids)));
    }
    return onlyCpuAndMemory === true ? (await this.reduced.get(age, signal)).wire : this.full.get(age, signal);
  }

  async imageFsStats(signal?: AbortSignal): ReturnType<ImageFsStats['imageFsStats']> {
    this.mustBeStarted();
    return this.source.imageFs(this.untilStopped(signal));
  }

  /** Of `/metrics/resource`. */
  gather(): Promise<Iterable<MetricFamily>> {
    return this.resource.gather();
  }

  private untilStopped(signal: AbortSignal | undefined): AbortSignal {
    const stopping = this.stopping.signal;
    return signal === undefined ? stopping : AbortSignal.any([stopping, signal]);
  }

  private mustBeStarted(): void {
    if (this.state === 'started') return;
    throw new KubeletError(`stats are ${this.state}`, { code: 'failed-precondition' });
  }

  private show(pods: readonly PodStats[]): void {
    this.shownAt = this.clock.monotonic();
    this.summaryMetrics.show(pods);
  }

  /** A scrape of the kubelet's own metrics wants the sizes of logs and volumes: as often as upstream measures them, beside it. */
  private refreshForMetrics(): void {
    const { volumeStatsAggPeriodMs: periodMs } = this.config;
    if (this.state !== 'started' || periodMs <= 0 || this.refreshing !== undefined) return;
    if (this.shownAt !== undefined && this.clock.monotonic() - this.shownAt < periodMs) return;
    const refresh = this.full.get(periodMs).then(
      () => this.background.over('Pod stats for metrics are read again'),
      (error: unknown) => {
        this.summaryMetrics.forget();
        if (this.state === 'stopped') return;
        this.background.failed(KubeletError.from(error).code, 'Failed to get pod stats', { error });
      },
    );
    this.refreshing = refresh.finally(() => (this.refreshing = undefined));
  }
}

/** As {@link withWholeSeconds}, with turns of the event loop. */
async function inWholeSeconds({ node, pods }: Summary): Promise<Summary> {
  const copied: PodStats[] = [];
  for (let from = 0; from < pods.length; from += podsPerSlice) {
    if (from > 0) await yieldToEventLoop();
    copied.push(...pods.slice(from, from + podsPerSlice).map(withWholeSeconds));
  }
  return { node: withWholeSeconds(node), pods: copied };
}

/** Makes one without a container; `nodeName` is required. Throws `invalid-argument` for options out of range. */
export function createOnDemandStats(
  deps: OnDemandStatsDeps,
  options: Partial<OnDemandStatsConfig> & Pick<OnDemandStatsConfig, 'nodeName'>,
): OnDemandStats {
  const config = decodeOptions('stats', onDemandStatsConfigSchema, options);
  const { runtime, images, cgroups, pods, volumes, statuses, clock, random, logger, metrics } = deps;
  return new OnDemandStats(runtime, images, cgroups, pods, volumes, statuses, clock, random, logger, metrics, config);
}
