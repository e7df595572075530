import { CLOCK, LOGGER, needs, pick, type Lifecycle, type Needs } from '@podwright/assembly-interface';
import { podUidOf } from '@podwright/cgroup-files';
import { mapLimit } from '@podwright/concurrency';
import { IMAGE_SERVICE, RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { FailureLog } from '@podwright/logging';
import type { MetricFamily, MetricsSource } from '@podwright/metrics';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import path from 'node:path';
import type { OnDemandCgroupStats } from '../on-demand-cgroup-stats.js';
import type { OnDemandCgroupStatsConfig } from '../on-demand-cgroup-stats-config.js';
import { countOpenFiles, openFilesLimit } from '../proc/open-files.js';
import { containerFamily, type ContainerMetric, type LabelPair, type ScrapedCgroup } from './container-metric.js';
import { ContainerNames, type ContainerName } from './container-names.js';
import { cpuMetrics } from './cpu-metrics.js';
import { criFamilies } from './cri-families.js';
import { readCrioLayers, type LayerOf } from './crio-layers.js';
import { diskMetrics } from './disk-metrics.js';
import { FileSystems } from './file-systems.js';
import { loadMetrics } from './load-metrics.js';
import { machineFamilies, versionFamily } from './machine-metrics.js';
import { memoryMetrics } from './memory-metrics.js';
import { networkMetrics } from './network-metrics.js';
import { pressureMetrics } from './pressure-metrics.js';
import { processMetrics } from './process-metrics.js';
import { specMetrics } from './spec-metrics.js';

const containerMetrics: readonly ContainerMetric[] = [
  ...specMetrics,
  ...cpuMetrics,
  ...loadMetrics,
  ...memoryMetrics,
  // Disks and open files are read at each scrape, so they carry the scrape's time. With the time of a cached reading,
  // Prometheus would see two values at one time and drop the later one.
  ...[...diskMetrics, ...processMetrics].map((metric) => ({ ...metric, timestamp: 'now' as const })),
  ...networkMetrics,
];
const scrapeErrorHelp = '1 if there was an error while getting container metrics, 0 otherwise';

export const cadvisorMetricsNeeds = needs({
  /** The runtime calls for container names and for the metrics with gate PodAndContainerStatsFromCRI. */
  runtime: pick(
    RUNTIME_SERVICE,
    'listContainers',
    'listPodSandbox',
    'podSandboxStatus',
    'listContainerStats',
    'listMetricDescriptors',
    'listPodSandboxMetrics',
  ),
  images: pick(IMAGE_SERVICE, 'imageStatus', 'imageFsInfo'),
  pods: pick(POD_MANAGER, 'getPodByUid'),
  clock: CLOCK,
  logger: LOGGER,
});
export type CadvisorMetricsDeps = Needs<typeof cadvisorMetricsNeeds> & { readonly stats: OnDemandCgroupStats };

/** Source: google/cadvisor v0.56 container/crio/factory.go. */
const isOfCrio = (cgroup: string): boolean => path.posix.basename(cgroup).startsWith('crio');
const noLayer: LayerOf = () => undefined;

/**
 * The metrics of `/metrics/cadvisor`. Source: kubernetes v1.36 pkg/kubelet/server/server.go, google/cadvisor v0.56
 * metrics.
 */
export class CadvisorMetrics implements MetricsSource, Lifecycle {
  private readonly names: ContainerNames;
  private readonly fileSystems: FileSystems;
  private readonly failureLog: FailureLog;
  private readonly proc: string;

  constructor(
    private readonly deps: CadvisorMetricsDeps,
    private readonly config: OnDemandCgroupStatsConfig,
  ) {
    const { runtime, images, clock, logger } = deps;
    this.proc = path.join(config.hostRoot, 'proc');
    this.names = new ContainerNames(runtime, images, clock, logger);
    this.fileSystems = new FileSystems(this.proc, config.rootDir);
    this.failureLog = new FailureLog(logger, clock);
  }

  async start(): Promise<void> {
    await this.fileSystems.start();
  }

  // Nothing runs between two scrapes.
  async stop(): Promise<void> {}

  async gather(): Promise<Iterable<MetricFamily>> {
    const machine = this.deps.stats.machine();
    const containers = this.config.containerMetricsFromCri ? await this.fromCri() : await this.fromCgroups();
    const families = [...machineFamilies(machine), ...containers];
    return families.sort((left, right) => (left.name < right.name ? -1 : 1));
  }

  private async fromCgroups(): Promise<readonly MetricFamily[]> {
    const cgroups = await this.deps.stats.cgroups();
    const names = await this.names.of(cgroups);
    const containers = new Map<string, string[]>();
    for (const [cgroup, { sandboxId }] of names) {
      if (sandboxId !== undefined) containers.set(sandboxId, [...(containers.get(sandboxId) ?? []), cgroup]);
    }
    const layers = this.config.fileSystems && [...names.keys()].some(isOfCrio);
    const layerOf = layers ? await this.crioLayers() : noLayer;
    const found = await mapLimit(['/', ...cgroups], this.config.concurrentReads, (cgroup) => {
      const name = names.get(cgroup);
      const isSandbox = name !== undefined && name.sandboxId === undefined;
      return this.scrape(cgroup, name, isSandbox && (containers.get(name.id) ?? []), layerOf);
    });
    const scraped = found.filter((cgroup) => cgroup !== undefined);
    const nowMs = this.deps.clock.now();
    const pressure = this.deps.stats.machine().pressure ? pressureMetrics : [];
    const failed = scraped.some(({ sample }) => sample.path === '/') ? 0 : 1;
    return [
      versionFamily(this.deps.stats.machine()),
      ...[...containerMetrics, ...pressure].map((metric) => containerFamily(metric, scraped, nowMs)),
      { name: 'container_scrape_error', help: scrapeErrorHelp, type: 'gauge', points: [{ labels: [], value: failed }] },
    ];
  }

  private async crioLayers(): Promise<LayerOf> {
    try {
      const layers = await readCrioLayers({ ...this.deps, fileSystems: this.fileSystems });
      this.failureLog.over('The runtime tells what containers have written again');
      return layers;
    } catch (error) {
      this.failureLog.failed('layers', 'Failed to get what containers have written', { error });
      return noLayer;
    }
  }

  /** `network`: for a sandbox, the cgroups of its containers. */
  private async scrape(
    cgroup: string,
    name: ContainerName | undefined,
    network: readonly string[] | false,
    layerOf: LayerOf,
  ): Promise<ScrapedCgroup | undefined> {
    const isRoot = cgroup === '/';
    const options = { detail: 'full', network } as const;
    const [sampled, fileSystems] = await Promise.all([
      this.deps.stats.sampleOrLog(cgroup, options),
      isRoot && this.config.fileSystems ? this.fileSystems.read() : undefined,
    ]);
    const layer = name && isOfCrio(cgroup) ? layerOf(name.id) : undefined;
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
      ...(layer !== undefined && { fileSystems: [layer] }),
    };
  }

  private labels(cgroup: string, name: ContainerName | undefined): readonly LabelPair[] {
    let { pod, namespace } = name ?? { pod: '', namespace: '' };
    if (pod === '' && namespace === '') {
      const uid = podUidOf(this.deps.stats.driverName(), path.posix.basename(cgroup));
      const metadata = uid === undefined ? undefined : this.deps.pods.getPodByUid(uid)?.metadata;
      pod = metadata?.name ?? '';
      namespace = metadata?.namespace ?? '';
    }
    return [
      ['container', name?.container ?? ''],
      ['id', cgroup],
      ['image', name?.image ?? ''],
      ['name', (isOfCrio(cgroup) ? name?.crioName : name?.id) ?? ''],
      ['namespace', namespace],
      ['pod', pod],
    ];
  }

  private async fromCri(): Promise<readonly MetricFamily[]> {
    try {
      const [{ descriptors }, { podMetrics }] = await Promise.all([
        this.deps.runtime.listMetricDescriptors({}),
        this.deps.runtime.listPodSandboxMetrics({}),
      ]);
      this.failureLog.over('The runtime tells the metrics of pods again');
      return criFamilies(descriptors, podMetrics);
    } catch (error) {
      this.failureLog.failed('cri', 'Failed to get pod metrics', { error });
      return [];
    }
  }
}
