import { stat, statfs } from 'node:fs/promises';
import { CLOCK, LOGGER, METRICS, needs, pick, RANDOM, type Health, type Needs } from '@podwright/assembly-interface';
import { deviceSizeBytes } from '@podwright/block-device';
import { CGROUP_STATS } from '@podwright/cgroup-stats-interface';
import { IMAGE_SERVICE, isCrioEndpoint, RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { requireAnswer } from '@podwright/filesystem';
import { KubeletError } from '@podwright/errors';
import { FailureLog } from '@podwright/logging';
import { defaultBuckets, type MetricFamily, type MetricsRegistry, type MetricsSource } from '@podwright/metrics';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import type { ImageFsStats, PodStats, StatsProvider, Summary, SummaryOptions } from '@podwright/stats-interface';
import { STATUS_MANAGER } from '@podwright/status-interface';
import { withLinkedSignal, yieldToEventLoop, type Clock } from '@podwright/time';
import { VOLUME_MANAGER } from '@podwright/volume-interface';
import { WorkerDiskUsage } from './disk-usage/worker-disk-usage.js';
import { FileSystems } from './file-systems/file-systems.js';
import { createResourceMetrics } from './metrics/resource-metrics.js';
import { SummaryMetrics } from './metrics/summary-metrics.js';
import type { OnDemandStatsConfig } from './on-demand-stats-config.js';
import { CgroupPodStats } from './pods/cgroup-pod-stats.js';
import { CriPodStats } from './pods/cri-pod-stats.js';
import { PodFilesReader } from './pods/pod-files.js';
import type { PodStatsSource } from './pods/pod-stats-source.js';
import { PodStorage } from './pods/pod-storage.js';
import { RuntimeFileSystems } from './pods/runtime-file-systems.js';
import { UsageNanoCores } from './readings/usage-nano-cores.js';
import { withWholeSeconds } from './readings/wire-time.js';
import { withZeroPressure } from './readings/zero-pressure.js';
import { SharedReading } from './shared-reading.js';
import { SummaryCollector } from './summary-collector.js';
import { PodVolumeStats } from './volumes/pod-volume-stats.js';

const podsPerSlice = 20;

export const onDemandStatsNeeds = needs({
  runtime: pick(RUNTIME_SERVICE, 'listContainers', 'listPodSandbox', 'listContainerStats', 'listPodSandboxStats'),
  images: pick(IMAGE_SERVICE, 'imageFsInfo', 'listImages'),
  cgroups: pick(CGROUP_STATS, 'sample', 'samples', 'roots', 'machine'),
  pods: pick(POD_MANAGER, 'getPods'),
  volumes: pick(VOLUME_MANAGER, 'getMountedVolumes'),
  statuses: pick(STATUS_MANAGER, 'getPodStatus'),
  clock: CLOCK,
  random: RANDOM,
  logger: LOGGER,
  metrics: METRICS,
});
export type OnDemandStatsNeeds = Needs<typeof onDemandStatsNeeds>;

// Each has a process that waits for its file system.
const mostDeadVolumes = 16;

/**
 * {@link StatsProvider} without loops: reads on demand, and concurrent callers share one reading. Also provides
 * `/metrics/resource`. Source: kubernetes v1.36 pkg/kubelet/stats, pkg/kubelet/server/stats.
 */
export class OnDemandStats implements StatsProvider, ImageFsStats, MetricsSource {
  private readonly diskUsage: WorkerDiskUsage;
  private readonly volumeStats: PodVolumeStats;
  private readonly collector: SummaryCollector;
  private readonly full: SharedReading<Summary>;
  private readonly reduced: SharedReading<{ readonly asRead: Summary; readonly wire: Summary }>;
  private readonly resource: MetricsSource;
  private readonly registry: MetricsRegistry;
  private readonly summaryMetrics: SummaryMetrics;
  private readonly background: FailureLog;
  private readonly clock: Clock;
  private refreshing: Promise<void> | undefined;
  private measuring: Promise<void> | undefined;
  private shownAt: number | undefined;
  private state: 'new' | 'started' | 'stopped' = 'new';
  private readonly stopping = new AbortController();
  private readonly source: PodStatsSource;

  constructor(
    {
      runtime,
      images,
      cgroups: read,
      pods,
      volumes,
      statuses,
      clock,
      random,
      logger,
      metrics: registry,
    }: OnDemandStatsNeeds,
    private readonly config: OnDemandStatsConfig,
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
    // The node's own file systems are local; a volume may be another machine's.
    const calls = { statfs, stat, requireAnswer };
    const volumeFileSystems = new FileSystems(clock, config.fileSystemTimeoutMs, calls, mostDeadVolumes);
    this.volumeStats = new PodVolumeStats(
      { volumes, diskUsage, volumeFileSystems, deviceSizeBytes, clock, random, logger, duration },
      config.volumeStatsAggPeriodMs,
    );
    const failureLog = (): FailureLog => new FailureLog(logger, clock);
    const usesCri = !isCrioEndpoint(config.runtimeEndpoint) || config.podAndContainerStatsFromCri;
    const files = new PodFilesReader(diskUsage, clock, failureLog(), {
      rootDir: config.rootDir,
      podLogsDir: config.podLogsDir,
      timeoutMs: config.logsTimeoutMs,
    });
    const { volumeWaitMs } = config;
    const storage = new PodStorage(files, this.volumeStats, pods, { volumeWaitMs, countsLogInodes: usesCri });
    const runtimeFs = new RuntimeFileSystems(images, fileSystems, failureLog(), config);
    const cgroups = config.pressure ? withZeroPressure(read) : read;
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
      failureLog: failureLog(),
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
    this.background = failureLog();
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
    // As upstream: the gate alone decides, whatever the runtime's own statistics are used for.
    provider.set(1, { provider: this.config.podAndContainerStatsFromCri ? 'cri' : 'cadvisor' });
    if (this.config.volumeHealth) this.measuring = this.measurePeriodically();
  }

  async stop(): Promise<void> {
    this.state = 'stopped';
    this.stopping.abort(new KubeletError('stats are stopping', { code: 'cancelled' }));
    this.summaryMetrics.close();
    await Promise.all([this.full.stop(), this.reduced.stop(), this.volumeStats.stop(), this.diskUsage.stop()]);
    await Promise.all([this.refreshing, this.measuring]);
  }

  healthy(): Health {
    return this.state === 'started' ? { ok: true } : { ok: false, reason: `stats are ${this.state}` };
  }

  async summary({ onlyCpuAndMemory, maxAgeMs, podUids, signal }: SummaryOptions = {}): Promise<Summary> {
    this.mustBeStarted();
    const age = maxAgeMs ?? this.config.maxAgeMs;
    if (podUids !== undefined && onlyCpuAndMemory !== true) {
      const uids = new Set(podUids);
      return inWholeSeconds(await this.untilStopped(signal, (either) => this.collector.full(age, either, uids)));
    }
    return onlyCpuAndMemory === true ? (await this.reduced.get(age, signal)).wire : this.full.get(age, signal);
  }

  async imageFsStats(signal?: AbortSignal): ReturnType<ImageFsStats['imageFsStats']> {
    this.mustBeStarted();
    return this.untilStopped(signal, (either) => this.source.imageFs(either));
  }

  /** The families of `/metrics/resource`. */
  gather(): Promise<Iterable<MetricFamily>> {
    return this.resource.gather();
  }

  private untilStopped<T>(signal: AbortSignal | undefined, task: (either: AbortSignal) => Promise<T>): Promise<T> {
    return withLinkedSignal([this.stopping.signal, signal], task);
  }

  private mustBeStarted(): void {
    if (this.state === 'started') return;
    throw new KubeletError(`stats are ${this.state}`, { code: 'failed-precondition' });
  }

  private show(pods: readonly PodStats[]): void {
    this.shownAt = this.clock.monotonic();
    this.summaryMetrics.show(pods);
  }

  /** Events about sick volumes must not depend on somebody who reads the numbers. */
  private async measurePeriodically(): Promise<void> {
    const { volumeStatsAggPeriodMs: periodMs } = this.config;
    if (periodMs <= 0) return;
    const measure = async (): Promise<void> => {
      this.refreshForMetrics();
      await this.refreshing;
    };
    await this.clock.every(periodMs, measure, this.stopping.signal);
  }

  /** Measures logs and volumes in the background for scrapes of the kubelet's own metrics, as often as upstream. */
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

/** As {@link withWholeSeconds}, but yields to the event loop. */
async function inWholeSeconds({ node, pods }: Summary): Promise<Summary> {
  const copied: PodStats[] = [];
  for (let from = 0; from < pods.length; from += podsPerSlice) {
    if (from > 0) await yieldToEventLoop();
    copied.push(...pods.slice(from, from + podsPerSlice).map(withWholeSeconds));
  }
  return { node: withWholeSeconds(node), pods: copied };
}
