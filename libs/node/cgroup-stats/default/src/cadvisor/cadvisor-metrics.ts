import { CLOCK, LOGGER, type Lifecycle } from '@podwright/assembly-interface';
import { podUidOf } from '@podwright/cgroup-files';
import { mapLimit } from '@podwright/concurrency';
import {
  IMAGE_SERVICE,
  RUNTIME_SERVICE,
  type ImageService,
  type RuntimeService,
} from '@podwright/cri-client-interface';
import { TroubleLog, type Logger } from '@podwright/logging';
import type { MetricFamily, MetricsSource } from '@podwright/metrics';
import { POD_MANAGER, type PodManager } from '@podwright/pod-manager-interface';
import type { Clock } from '@podwright/time';
import path from 'node:path';
import { inject, injectable } from 'tsyringe';
import { ON_DEMAND_CGROUP_STATS_CONFIG, type OnDemandCgroupStatsConfig } from '../on-demand-cgroup-stats-config.js';
import { OnDemandCgroupStats } from '../on-demand-cgroup-stats.js';
import { countOpenFiles, openFilesLimit } from '../proc/open-files.js';
import { containerFamily, type ContainerMetric, type LabelPair, type ScrapedCgroup } from './container-metric.js';
import { ContainerNames, type ContainerName } from './container-names.js';
import { cpuMetrics } from './cpu-metrics.js';
import { criFamilies } from './cri-families.js';
import { diskMetrics } from './disk-metrics.js';
import { FileSystems } from './file-systems.js';
import { machineFamilies, versionFamily } from './machine-metrics.js';
import { memoryMetrics } from './memory-metrics.js';
import { networkMetrics } from './network-metrics.js';
import { pressureMetrics } from './pressure-metrics.js';
import { processMetrics } from './process-metrics.js';
import { specMetrics } from './spec-metrics.js';

const containerMetrics: readonly ContainerMetric[] = [
  ...specMetrics,
  ...cpuMetrics,
  ...memoryMetrics,
  // Disks and open files are read at each scrape. With the time of a reading that may be kept for several scrapes, Prometheus would
  // see two values at one time and drop the later one.
  ...[...diskMetrics, ...processMetrics].map((metric) => ({ ...metric, timestamp: 'now' as const })),
  ...networkMetrics,
];
const scrapeErrorHelp = '1 if there was an error while getting container metrics, 0 otherwise';

/** What `/metrics/cadvisor` shows. Source: kubernetes v1.36 pkg/kubelet/server/server.go, google/cadvisor v0.56 metrics. */
@injectable()
export class CadvisorMetrics implements MetricsSource, Lifecycle {
  private readonly names: ContainerNames;
  private readonly fileSystems: FileSystems;
  private readonly trouble: TroubleLog;
  private readonly proc: string;

  constructor(
    @inject(OnDemandCgroupStats) private readonly stats: OnDemandCgroupStats,
    @inject(RUNTIME_SERVICE) private readonly runtime: CadvisorRuntime,
    @inject(IMAGE_SERVICE) images: Pick<ImageService, 'imageStatus'>,
    @inject(POD_MANAGER) private readonly pods: Pick<PodManager, 'getPodByUid'>,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) logger: Logger,
    @inject(ON_DEMAND_CGROUP_STATS_CONFIG) private readonly config: OnDemandCgroupStatsConfig,
  ) {
    this.proc = path.join(config.hostRoot, 'proc');
    this.names = new ContainerNames(runtime, images, clock, logger);
    this.fileSystems = new FileSystems(this.proc, config.rootDir);
    this.trouble = new TroubleLog(logger, clock);
  }

  async start(): Promise<void> {
    await this.fileSystems.start();
  }

  // Nothing runs between two scrapes.
  async stop(): Promise<void> {}

  async gather(): Promise<Iterable<MetricFamily>> {
    const machine = this.stats.machine();
    const containers = this.config.containerMetricsFromCri ? await this.fromCri() : await this.fromCgroups();
    const families = [...machineFamilies(machine, this.clock.now()), ...containers];
    return families.sort((left, right) => (left.name < right.name ? -1 : 1));
  }

  private async fromCgroups(): Promise<readonly MetricFamily[]> {
    const cgroups = await this.stats.cgroups();
    const names = await this.names.of(cgroups);
    const found = await mapLimit(['/', ...cgroups], this.config.concurrentReads, (cgroup) =>
      this.scrape(cgroup, names.get(cgroup)),
    );
    const scraped = found.filter((cgroup) => cgroup !== undefined);
    const nowMs = this.clock.now();
    const pressure = this.stats.machine().pressure ? pressureMetrics : [];
    const failed = scraped.some(({ sample }) => sample.path === '/') ? 0 : 1;
    return [
      versionFamily(this.stats.machine()),
      ...[...containerMetrics, ...pressure].map((metric) => containerFamily(metric, scraped, nowMs)),
      { name: 'container_scrape_error', help: scrapeErrorHelp, type: 'gauge', points: [{ labels: [], value: failed }] },
    ];
  }

  private async scrape(cgroup: string, name: ContainerName | undefined): Promise<ScrapedCgroup | undefined> {
    const isRoot = cgroup === '/';
    const options = { detail: 'full', network: name?.isSandbox === true } as const;
    const [sampled, fileSystems] = await Promise.all([
      this.stats.sampleOrLog(cgroup, options),
      isRoot ? this.fileSystems.read() : undefined,
    ]);
    if (sampled === undefined) return undefined;
    const { sample, pids } = sampled;
    const firstPid = isRoot ? 1 : name && pids[0];
    const [openFiles, limit] = await Promise.all([
      countOpenFiles(this.proc, pids),
      firstPid === undefined ? undefined : openFilesLimit(this.proc, firstPid),
    ]);
    return {
      sample,
      labels: this.labels(cgroup, name),
      openFiles,
      ...(limit !== undefined && { openFilesLimit: limit }),
      ...(fileSystems !== undefined && { fileSystems }),
    };
  }

  private labels(cgroup: string, name: ContainerName | undefined): readonly LabelPair[] {
    let { pod, namespace } = name ?? { pod: '', namespace: '' };
    if (pod === '' && namespace === '') {
      const uid = podUidOf(this.stats.driverName(), path.posix.basename(cgroup));
      const metadata = uid === undefined ? undefined : this.pods.getPodByUid(uid)?.metadata;
      pod = metadata?.name ?? '';
      namespace = metadata?.namespace ?? '';
    }
    return [
      ['container', name?.container ?? ''],
      ['id', cgroup],
      ['image', name?.image ?? ''],
      ['name', name?.id ?? ''],
      ['namespace', namespace],
      ['pod', pod],
    ];
  }

  private async fromCri(): Promise<readonly MetricFamily[]> {
    try {
      const [{ descriptors }, { podMetrics }] = await Promise.all([
        this.runtime.listMetricDescriptors({}),
        this.runtime.listPodSandboxMetrics({}),
      ]);
      this.trouble.over('The runtime tells the metrics of pods again');
      return criFamilies(descriptors, podMetrics);
    } catch (error) {
      this.trouble.failed('cri', 'Failed to get pod metrics', { error });
      return [];
    }
  }
}

/** The calls that the names, and the metrics with gate PodAndContainerStatsFromCRI, are made of. */
export type CadvisorRuntime = Pick<
  RuntimeService,
  'listContainers' | 'listPodSandbox' | 'podSandboxStatus' | 'listMetricDescriptors' | 'listPodSandboxMetrics'
>;
