import { CLOCK, LOGGER, METRICS, needs, optional, pick, type Needs } from '@podwright/assembly-interface';
import {
  absentIs,
  cgroupHierarchies,
  type CgroupHierarchy,
  controllersVersion,
  type HugePageSize,
  hugePageSizes,
  isAbsent,
  isRefused,
  milliCpuToShares,
} from '@podwright/cgroup-files';
import {
  CGROUP_DRIVER,
  type CgroupManager,
  type PodCgroupCpuReduction,
  type PodCgroupResourceControl,
  type PodCgroupResources,
} from '@podwright/cgroup-interface';
import { EXCLUSIVE_CPUS } from '@podwright/cpu-manager-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { podUid, type Pod } from '@podwright/kube-types';
import { createMetricsRegistry } from '@podwright/metrics';
import { ACTIVE_PODS } from '@podwright/pod-workers-interface';
import { CGROUP_FILES, kernelCgroupFiles, type CgroupFiles } from './cgroup-files.js';
import { CgroupMetrics } from './cgroup-metrics.js';
import { quotedName, type CgroupTree, type OnRefused } from './cgroup-tree.js';
import type { KubeCgroupConfig } from './kube-cgroup-config.js';
import { makeKubepods } from './make-kubepods.js';
import { NodeSetup } from './node-setup/node-setup.js';
import { openCgroupTree } from './open-cgroup-tree.js';
import { PodCgroupPaths, tiers, type Tier } from './pod-cgroup-paths.js';
import { PodCgroupRemover } from './pod-cgroup-remover.js';
import { podCgroupResources, podCgroupValues, type PodCgroupOptions } from './pod-cgroup-values.js';
import type { QosCgroups } from './qos-cgroups.js';
import { DbusSystemdUnits } from './systemd/dbus-systemd-units.js';
import { SystemdTree, unitOf } from './systemd/systemd-tree.js';
import { SYSTEMD_UNITS, type SystemdUnits } from './systemd/systemd-units.js';

// Upstream's period; repairs changes that others made to the QoS cgroups.
const qosUpdatePeriodMs = 60_000;
// Each sync checks one hierarchy only: the kernel removes none of them under running containers.
const completeForMs = 300_000;

export const cgroupNeeds = needs({
  clock: CLOCK,
  logger: LOGGER,
  /** Default: the kernel's files. */
  files: optional(CGROUP_FILES),
  metrics: optional(METRICS),
  /** Default: the configured driver. */
  driver: optional(pick(CGROUP_DRIVER, 'name')),
  events: optional(pick(EVENT_RECORDER, 'event')),
  /** Default: the pods that callers asked this manager about. */
  activePods: optional(ACTIVE_PODS),
  exclusiveCpus: optional(pick(EXCLUSIVE_CPUS, 'podHas')),
  /** Default: the machine's systemd, when the driver is `systemd`. */
  systemd: optional(SYSTEMD_UNITS),
});
export type CgroupNeeds = Needs<typeof cgroupNeeds>;

/**
 * {@link CgroupManager} of a node: creates `kubepods`, the QoS cgroups and the pod cgroups with their limits, as kernel
 * files or systemd slices, and sets up the node around them. Without permission to do so, the runtime creates a pod's
 * cgroup with its sandbox. Source: kubernetes v1.36 pkg/kubelet/cm container_manager_linux.go,
 * pod_container_manager_linux.go, qos_container_manager_linux.go.
 */
export class KubeCgroupManager implements CgroupManager, PodCgroupResourceControl, PodCgroupCpuReduction {
  private readonly files: CgroupFiles;
  private paths: PodCgroupPaths;
  private readonly metrics: CgroupMetrics;
  private remover: PodCgroupRemover;
  private units: SystemdUnits | undefined;
  private node: NodeSetup | undefined;
  private hugePageSizes: readonly HugePageSize[] = [];
  /** Undefined where pods have no cgroups of their own. */
  private tree: CgroupTree | undefined;
  /** Undefined where this manager creates no pod cgroups. */
  private qos: QosCgroups | undefined;
  private readonly stopping = new AbortController();
  private loop: Promise<void> = Promise.resolve();
  private readonly told = new Set<string>();
  /** When all hierarchies last had the pod's cgroup, by UID; monotonic milliseconds. */
  private readonly complete = new Map<string, number>();

  constructor(
    private readonly deps: CgroupNeeds,
    private config: KubeCgroupConfig,
  ) {
    const { clock, files, metrics } = deps;
    this.files = files ?? kernelCgroupFiles;
    this.paths = new PodCgroupPaths(config);
    this.metrics = new CgroupMetrics(metrics ?? createMetricsRegistry(), clock);
    this.remover = this.removerOf([]);
  }

  /**
   * Rejects when the node is unsuitable (swap, kernel flags), the cgroup root is missing, the systemd driver finds no
   * systemd, the reservations cannot be enforced, or creating the QoS cgroups fails although the kubelet may create
   * cgroups.
   */
  async start(): Promise<void> {
    this.config = { ...this.config, cgroupDriver: this.deps.driver?.name() ?? this.config.cgroupDriver };
    this.paths = new PodCgroupPaths(this.config);
    const { files, config } = this;
    const { clock, logger, events } = this.deps;
    const hierarchies = await cgroupHierarchies(config.mountInfoFile);
    this.metrics.foundVersion(controllersVersion(hierarchies) === 1 ? 1 : 2);
    const node = new NodeSetup({ clock, logger, files, events, onRefused: this.tellOnce }, config);
    this.node = node;
    await node.check(hierarchies);
    const tree = this.openTree(hierarchies);
    if (tree !== undefined) await this.startCgroups(tree, node, hierarchies);
    await node.placeProcesses(hierarchies);
  }

  private async startCgroups(
    tree: CgroupTree,
    node: NodeSetup,
    hierarchies: readonly CgroupHierarchy[],
  ): Promise<void> {
    const { cgroupsPerQos, cgroupRoot, hugePagesDir } = this.config;
    this.hugePageSizes = await hugePageSizes(hugePagesDir);
    const { hugePageSizes: sizes } = this;
    if (!cgroupsPerQos) {
      await node.measure(tree, { cgroup: cgroupRoot, internalName: cgroupRoot, hugePageSizes: sizes });
      return node.enforce();
    }
    this.remover = this.removerOf(hierarchies.map(({ mountPoint }) => mountPoint));
    this.tree = tree;
    const { paths, metrics, tellOnce } = this;
    const { logger, activePods } = this.deps;
    const deps = { logger, tree, paths, node, metrics, hugePageSizes: sizes, activePods, onRefused: tellOnce };
    this.qos = await makeKubepods(deps, this.config);
    if (this.qos !== undefined) this.loop = this.keepQosCgroups(this.qos);
  }

  private openTree(hierarchies: readonly CgroupHierarchy[]): CgroupTree | undefined {
    const { config } = this;
    const { clock, logger } = this.deps;
    const balanceLoad = config.cpuManagerPolicy !== 'static';
    const files = openCgroupTree(this.files, hierarchies, { balanceLoad });
    if (files === undefined) return undefined;
    if (config.cgroupDriver === 'cgroupfs') return this.metrics.timed(files);
    this.units = this.deps.systemd ?? new DbusSystemdUnits({ clock, logger });
    return this.metrics.timed(new SystemdTree(this.units, files, controllersVersion(hierarchies) === 1 ? 1 : 2));
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all([this.loop, this.node?.stop()]);
    if (this.deps.systemd === undefined) await this.units?.close();
  }

  podCgroupParent(pod: Pod): string {
    return this.paths.parentOf(pod);
  }

  /** True where the runtime creates the cgroup with the sandbox: it cannot be missing under running containers. */
  async exists(pod: Pod): Promise<boolean> {
    if (this.tree === undefined || this.qos === undefined) return true;
    this.qos.observe(pod);
    const cgroup = this.podCgroupParent(pod);
    const lookedAtMs = this.complete.get(podUid(pod));
    const now = this.deps.clock.monotonic();
    // Every sync asks: do not check all hierarchies again of a cgroup that was complete recently.
    if (lookedAtMs !== undefined && now - lookedAtMs < completeForMs) return this.tree.isPresent(cgroup);
    // The usual question is about a new pod, and one hierarchy answers it.
    const exists = (await this.tree.isPresent(cgroup)) && (await this.tree.fault(cgroup)) === undefined;
    // A kubelet that died between creating the cgroup and writing its values leaves a pod without limits.
    if (exists && lookedAtMs === undefined && (await this.tree.isEmpty(cgroup))) await this.ensureExists(pod);
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
        await qos.create(); // The QoS cgroup was removed.
        return tree.create(cgroup);
      });
      await tree.write(cgroup, podCgroupValues(pod, this.optionsOf(pod), this.hugePageSizes), this.tellOnce);
      this.complete.set(podUid(pod), this.deps.clock.monotonic());
    } catch (error) {
      // Left in place, the cgroup would count as existing next time, and the pod would run without limits.
      if (made) await tree.discard(cgroup);
      const name = quotedName(cgroup, this.config.cgroupDriver).replaceAll('"', '');
      const message = `failed to create container for ${name} : ${messageOf(error)}`;
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
    return podCgroupResources(pod, this.optionsOf(pod));
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

  private optionsOf(pod: Pod): PodCgroupOptions {
    return { ...this.config, exclusiveCpus: this.deps.exclusiveCpus?.podHas(pod) ?? false };
  }

  private async keepQosCgroups(qos: QosCgroups): Promise<void> {
    const { signal } = this.stopping;
    const stopped = await this.deps.clock.sleep(qosUpdatePeriodMs, signal).then(
      () => false,
      () => true,
    );
    if (!stopped)
      await this.deps.clock.every(qosUpdatePeriodMs, () => this.updateQosCgroups(qos, { anyway: true }), signal);
  }

  // On failure the pod still starts, with the earlier shares of its class.
  private async updateQosCgroups(qos: QosCgroups, options?: { readonly anyway: boolean }): Promise<void> {
    await qos.update(options).catch((error: unknown) => {
      this.deps.logger.error('Failed to update QoS cgroup configuration', { error });
    });
  }

  private readonly tellOnce: OnRefused = ({ file }, error) => {
    if (this.told.has(file)) return;
    this.told.add(file);
    this.deps.logger.warn(
      'The kernel refuses a value of cgroups, it is left out: run the kubelet as root in the host',
      {
        file,
        error,
      },
    );
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
    const { files, paths, units } = this;
    const { clock, logger } = this.deps;
    const { cgroupDriver } = this.config;
    const giveUp = units && ((cgroup: string): Promise<void> => units.stop(unitOf(cgroup)));
    return new PodCgroupRemover({ clock, logger, files, paths, cgroupDriver, ...(giveUp && { giveUp }) }, mountPoints);
  }
}
