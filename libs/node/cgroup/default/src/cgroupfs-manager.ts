import path from 'node:path';
import { CLOCK, LOGGER, METRICS } from '@podwright/assembly-interface';
import type {
  CgroupManager,
  PodCgroupCpuReduction,
  PodCgroupResourceControl,
  PodCgroupResources,
} from '@podwright/cgroup-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import { podUid, type Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { createMetricsRegistry, type MetricsRegistry } from '@podwright/metrics';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { milliCpuToShares } from './cgroup-conversions.js';
import { CGROUP_FILES, kernelCgroupFiles, type CgroupFiles } from './cgroup-files.js';
import { absentIs, cgroupHierarchies, controllersVersion, isAbsent, isRefused } from '@podwright/cgroup-files';
import { CgroupMetrics } from './cgroup-metrics.js';
import { quotedName, type CgroupTree, type OnRefused } from './cgroup-tree.js';
import { CGROUPFS_CONFIG, type CgroupfsConfig } from './cgroupfs-config.js';
import { hugePageSizes, type HugePageSize } from './huge-pages.js';
import { openCgroupTree } from './open-cgroup-tree.js';
import { PodCgroupPaths, tiers, type Tier } from './pod-cgroup-paths.js';
import { PodCgroupRemover } from './pod-cgroup-remover.js';
import { podCgroupResources, podCgroupValues } from './pod-cgroup-values.js';
import { QosCgroups } from './qos-cgroups.js';

// Upstream's period; what others change in the classes' cgroups is put right by then.
const qosUpdatePeriodMs = 60_000;
// A pod is synced each minute at the latest.
const completeForMs = 30_000;

/**
 * {@link CgroupManager} on the files of the kernel. With the driver `cgroupfs` it makes `kubepods`, the cgroups of the
 * classes and those of the pods, with their limits; with `systemd`, whose units would need D-Bus, and where it may not,
 * the runtime makes a pod's cgroup together with the sandbox. Source: kubernetes v1.36 pkg/kubelet/cm
 * pod_container_manager_linux.go, qos_container_manager_linux.go.
 */
@injectable()
export class CgroupfsManager implements CgroupManager, PodCgroupResourceControl, PodCgroupCpuReduction {
  private readonly files: CgroupFiles;
  private readonly paths: PodCgroupPaths;
  private readonly metrics: CgroupMetrics;
  private remover: PodCgroupRemover;
  private hugePageSizes: readonly HugePageSize[] = [];
  /** Undefined where pods have no cgroups of their own. */
  private tree: CgroupTree | undefined;
  /** Undefined where pod cgroups are not made here. */
  private qos: QosCgroups | undefined;
  private readonly stopping = new AbortController();
  private loop: Promise<void> = Promise.resolve();
  private readonly told = new Set<string>();
  /** When the cgroup of a pod was last found in all hierarchies, by UID; monotonic milliseconds. */
  private readonly complete = new Map<string, number>();

  constructor(
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(CGROUPFS_CONFIG) private readonly config: CgroupfsConfig,
    @inject(CGROUP_FILES, { isOptional: true }) files: CgroupFiles | undefined,
    @inject(METRICS, { isOptional: true }) metrics?: MetricsRegistry,
  ) {
    this.files = files ?? kernelCgroupFiles;
    this.paths = new PodCgroupPaths(config);
    this.metrics = new CgroupMetrics(metrics ?? createMetricsRegistry(), clock);
    this.remover = this.removerOf([]);
  }

  /** Rejects when the cgroup root is missing, or when the cgroups of the classes cannot be made although we may make some. */
  async start(): Promise<void> {
    const { cgroupsPerQos, cgroupDriver, mountInfoFile, hugePagesDir } = this.config;
    const hierarchies = await cgroupHierarchies(mountInfoFile);
    this.metrics.foundVersion(controllersVersion(hierarchies) === 1 ? 1 : 2);
    if (!cgroupsPerQos) return;
    this.remover = this.removerOf(hierarchies.map(({ mountPoint }) => mountPoint));
    const found = openCgroupTree(this.files, hierarchies);
    const tree = found && this.metrics.timed(found);
    this.tree = tree;
    if (tree === undefined || cgroupDriver === 'systemd') return;
    const lackingAtRoot = await this.requireRoot(tree);
    this.hugePageSizes = await hugePageSizes(hugePagesDir);
    const qos = this.qosCgroups(tree);
    try {
      const lacking = [...lackingAtRoot, ...(await qos.create())];
      if (lacking.length > 0)
        this.logger.warn('Pods go without limits of controllers that the cgroups above pass on to nobody', { lacking });
    } catch (error) {
      if (!isRefused(error)) throw error;
      this.logger.warn('Cgroups may not be made here: the runtime makes those of pods, without limits', { error });
      return;
    }
    this.qos = qos;
    this.loop = this.keepQosCgroups(qos);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop;
  }

  podCgroupParent(pod: Pod): string {
    return this.paths.parentOf(pod);
  }

  /** True where the runtime makes the cgroup together with the sandbox: it can never be missing under running containers. */
  async exists(pod: Pod): Promise<boolean> {
    if (this.tree === undefined || this.qos === undefined) return true;
    this.qos.observe(pod);
    const cgroup = this.podCgroupParent(pod);
    const lookedAtMs = this.complete.get(podUid(pod));
    const now = this.clock.monotonic();
    // Each sync asks. A cgroup that was complete a moment ago is not taken apart hierarchy by hierarchy.
    if (lookedAtMs !== undefined && now - lookedAtMs < completeForMs) return this.tree.isPresent(cgroup);
    const exists = (await this.tree.fault(cgroup)) === undefined;
    if (exists) this.complete.set(podUid(pod), now);
    else this.complete.delete(podUid(pod));
    return exists;
  }

  async ensureExists(pod: Pod): Promise<void> {
    const { tree, qos } = this;
    if (tree === undefined || qos === undefined) return;
    qos.observe(pod);
    await this.updateQosCgroups(qos);
    const cgroup = this.podCgroupParent(pod);
    let made = false;
    try {
      made = await tree.create(cgroup).catch(async (error: unknown) => {
        if (!isAbsent(error)) throw error;
        await qos.create(); // somebody has removed the cgroup of the class
        return tree.create(cgroup);
      });
      await tree.write(cgroup, podCgroupValues(pod, this.config, this.hugePageSizes), this.tellOnce);
      this.complete.set(podUid(pod), this.clock.monotonic());
    } catch (error) {
      // Left in place it would count as existing the next time, and the pod would run without its limits.
      if (made) await tree.discard(cgroup);
      const message = `failed to create container for ${quotedName(cgroup).replaceAll('"', '')} : ${messageOf(error)}`;
      throw new KubeletError(message, { code: 'internal', cause: error });
    }
  }

  async remove(uid: string): Promise<void> {
    this.complete.delete(uid);
    await this.metrics.time('destroy', () => this.remover.remove(uid));
    this.qos?.forget(uid);
    if (this.qos !== undefined) await this.updateQosCgroups(this.qos);
  }

  async reduceCpu(uid: string): Promise<void> {
    const { tree } = this;
    if (tree === undefined) return;
    const reduce = (tier: Tier): Promise<void> =>
      tree.write(this.paths.ofPod(tier, uid), { cpuShares: milliCpuToShares(0) }).catch(absentIs(undefined));
    await Promise.all(tiers.map(reduce));
  }

  resourcesOf(pod: Pod): PodCgroupResources {
    return podCgroupResources(pod, this.config);
  }

  async read(pod: Pod): Promise<PodCgroupResources> {
    return this.onPodCgroup(pod, {}, (tree, cgroup) => tree.read(cgroup));
  }

  async write(pod: Pod, resources: PodCgroupResources): Promise<void> {
    return this.onPodCgroup(pod, undefined, (tree, cgroup) => tree.write(cgroup, resources));
  }

  async memoryUsageBytes(pod: Pod): Promise<number> {
    return this.onPodCgroup(pod, 0, (tree, cgroup) => tree.memoryUsageBytes(cgroup));
  }

  async listPodUids(): Promise<readonly string[]> {
    return this.remover.podUids();
  }

  // Upstream's words for a root that was forgotten.
  private async requireRoot(tree: CgroupTree): Promise<readonly string[]> {
    const { cgroupRoot } = this.config;
    // On v2 a root can have only what the levels above pass on to it.
    const lacking = await tree.enableChildren(path.posix.dirname(cgroupRoot)).catch(absentIs<readonly string[]>([]));
    const fault = await tree.fault(cgroupRoot);
    if (fault !== undefined) throw new KubeletError(`invalid configuration: ${fault}`, { code: 'failed-precondition' });
    return lacking;
  }

  private qosCgroups(tree: CgroupTree): QosCgroups {
    return new QosCgroups(tree, {
      kubepods: this.paths.ofTier('Guaranteed'),
      burstable: this.paths.ofTier('Burstable'),
      bestEffort: this.paths.ofTier('BestEffort'),
      hugePageSizes: this.hugePageSizes,
      config: this.config,
      onRefused: this.tellOnce,
    });
  }

  private async keepQosCgroups(qos: QosCgroups): Promise<void> {
    const { signal } = this.stopping;
    const stopped = await this.clock.sleep(qosUpdatePeriodMs, signal).then(
      () => false,
      () => true,
    );
    if (!stopped) await this.clock.every(qosUpdatePeriodMs, () => this.updateQosCgroups(qos, { anyway: true }), signal);
  }

  // A pod starts also when the shares of its class are those of before.
  private async updateQosCgroups(qos: QosCgroups, options?: { readonly anyway: boolean }): Promise<void> {
    await qos.update(options).catch((error: unknown) => {
      this.logger.error('Failed to update QoS cgroup configuration', { error });
    });
  }

  private readonly tellOnce: OnRefused = ({ file }, error) => {
    if (this.told.has(file)) return;
    this.told.add(file);
    this.logger.warn('The kernel refuses a value of cgroups, pods go without it', { file, error });
  };

  private async onPodCgroup<T>(
    pod: Pod,
    otherwise: T,
    act: (tree: CgroupTree, cgroup: string) => Promise<T>,
  ): Promise<T> {
    if (this.tree === undefined) return otherwise;
    return act(this.tree, this.podCgroupParent(pod)).catch((error: unknown) => {
      const code = isAbsent(error) ? 'not-found' : isRefused(error) ? 'permission-denied' : 'internal';
      throw new KubeletError(messageOf(error), { code, cause: error });
    });
  }

  private removerOf(mountPoints: readonly string[]): PodCgroupRemover {
    const { clock, logger, files, paths } = this;
    return new PodCgroupRemover({ clock, logger, files, paths, cgroupDriver: this.config.cgroupDriver }, mountPoints);
  }
}

export interface CgroupfsDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default: those of the kernel. */
  readonly files?: CgroupFiles;
  readonly metrics?: MetricsRegistry;
}

/** Without DI. */
export function createCgroupfsManager(
  { clock, logger, files, metrics }: CgroupfsDeps,
  config: CgroupfsConfig,
): CgroupManager & PodCgroupResourceControl & PodCgroupCpuReduction {
  return new CgroupfsManager(clock, logger, config, files, metrics);
}
