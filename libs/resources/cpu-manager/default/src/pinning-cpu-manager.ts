import path from 'node:path';
import { CLOCK, LOGGER, METRICS, needs, pick, type Health, type Needs } from '@podwright/assembly-interface';
import type { CpuManager, ExclusiveCpus } from '@podwright/cpu-manager-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import { hasPodLevelResources, podUid, type Container, type Pod } from '@podwright/kube-types';
import { parseCpuList } from '@podwright/kubelet-configuration';
import { POD_CONFIG } from '@podwright/pod-config-interface';
import { ACTIVE_PODS } from '@podwright/pod-workers-interface';
import { STATUS_MANAGER } from '@podwright/status-interface';
import {
  abandonedAssignments,
  MACHINE_TOPOLOGY,
  TOPOLOGY_MANAGER,
  type TopologyHints,
} from '@podwright/topology-manager-interface';
import { CpuManagerMetrics } from './cpu-manager-metrics.js';
import { CpuReconciler } from './cpu-reconciler.js';
import { cpuTopologyOf, type CpuTopology } from './cpu-topology.js';
import { guaranteedCpus } from './guaranteed-cpus.js';
import { initialContainers } from './initial-containers.js';
import type { PinningCpuManagerConfig } from './pinning-cpu-manager-config.js';
import { nonePolicy, type CpuPolicy } from './policy/cpu-policy.js';
import { checkOnline, reservedCpus, type ReservedCpus } from './policy/reserved-cpus.js';
import { checkAlignBySocket, staticPolicyOptions, type StaticPolicyOptions } from './policy/static-policy-options.js';
import { StaticPolicy } from './policy/static-policy.js';
import { cpuStateFile } from './state/cpu-checkpoint.js';
import { CpuStateFile } from './state/cpu-state-file.js';
import { CpuState } from './state/cpu-state.js';

/** What the static policy needs besides its state. */
interface StaticSetting {
  readonly topology: CpuTopology;
  readonly options: StaticPolicyOptions;
  readonly reserved: ReservedCpus;
}

export const cpuManagerNeeds = needs({
  runtime: pick(RUNTIME_SERVICE, 'updateContainerResources', 'listContainers', 'listPodSandbox'),
  activePods: ACTIVE_PODS,
  statuses: pick(STATUS_MANAGER, 'getPodStatus'),
  podConfig: pick(POD_CONFIG, 'allSourcesReady'),
  affinity: pick(TOPOLOGY_MANAGER, 'affinityOf'),
  machine: MACHINE_TOPOLOGY,
  clock: CLOCK,
  logger: LOGGER,
  metrics: METRICS,
});
export type CpuManagerNeeds = Needs<typeof cpuManagerNeeds>;

/** {@link CpuManager} with upstream's policies none and static; keeps its state in upstream's file. */
export class PinningCpuManager implements CpuManager, ExclusiveCpus {
  readonly name = 'cpu-manager';
  private readonly counts: CpuManagerMetrics;
  private readonly file: CpuStateFile;
  private readonly reconciler: CpuReconciler;
  private readonly stopping = new AbortController();
  private loop: Promise<void> = Promise.resolve();
  private state = new CpuState();
  private policy: CpuPolicy = nonePolicy;
  private isStarted = false;

  constructor(
    private readonly deps: CpuManagerNeeds,
    private readonly config: PinningCpuManagerConfig,
  ) {
    const { runtime, activePods, statuses, logger, metrics } = deps;
    const { rootDir, policy, podLevelResourceManagers: podLevel } = config;
    this.counts = new CpuManagerMetrics(metrics, podLevel);
    this.file = new CpuStateFile({ rootDir, policy, podLevel }, logger);
    const cpusOf = (uid: string, container: string): readonly number[] => this.cpusOf(uid, container) ?? [];
    this.reconciler = new CpuReconciler({ runtime, activePods, statuses, logger, cpusOf });
  }

  async start(): Promise<void> {
    if (this.isStarted || this.stopping.signal.aborted) return;
    const setting = await this.setting();
    try {
      this.state = await this.file.restore(() => initialContainers(this.deps.runtime));
      if (setting !== undefined) this.policy = this.staticPolicy(setting);
    } catch (error) {
      throw new KubeletError(`start cpu manager error: ${messageOf(error)}`, {
        code: KubeletError.from(error).code,
        cause: error,
      });
    }
    await this.file.flushed();
    this.isStarted = true;
    if (setting === undefined) return;
    const { reserved, topology } = setting;
    this.deps.logger.info('CPUs are given out', {
      cpus: topology.cpus.length,
      reserved: reserved.cpus,
      policy: 'static',
    });
    this.loop = this.deps.clock.every(this.config.reconcilePeriodMs, () => this.reconcile(), this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop;
    await this.file.flushed();
  }

  healthy(): Health {
    return this.isStarted ? { ok: true } : { ok: false, reason: 'the CPU manager is not started' };
  }

  hintsOf(pod: Pod, container: Container): TopologyHints {
    this.releaseExcept(pod);
    return this.policy.hintsOf(pod, container);
  }

  hintsOfPod(pod: Pod): TopologyHints {
    this.releaseExcept(pod);
    return this.policy.hintsOfPod(pod);
  }

  async allocate(pod: Pod, container: Container): Promise<void> {
    this.releaseExcept(pod);
    this.policy.allocate(pod, container);
    // Must be on disk before the container can start: after a restart, the kubelet must not give these CPUs to another.
    await this.file.flushed();
  }

  async allocatePod(pod: Pod): Promise<void> {
    this.releaseExcept(pod);
    this.policy.allocatePod(pod);
    await this.file.flushed();
  }

  cpusOf(uid: string, container: string): readonly number[] | undefined {
    if (this.policy.name === 'none') return undefined;
    return this.state.of(uid, container) ?? this.state.shared;
  }

  exclusiveCpusOf(uid: string, container: string): readonly number[] {
    return this.state.of(uid, container) ?? [];
  }

  allocatableCpus(): readonly number[] {
    return this.policy.allocatable;
  }

  addContainer(pod: Pod, container: Container, containerId: string): void {
    const own = this.state.of(podUid(pod), container.name);
    if (own !== undefined) this.reconciler.created(containerId, own);
  }

  releaseInactive(): void {
    this.releaseExcept();
  }

  podHas(pod: Pod): boolean {
    if (!this.config.disableQuota) return false;
    const containers = [...(pod.spec.initContainers ?? []), ...pod.spec.containers];
    if (this.config.podLevelResourceManagers && hasPodLevelResources(pod))
      return containers.every((container) => this.isIsolated(pod, container));
    return containers.some((container) => this.state.of(podUid(pod), container.name) !== undefined);
  }

  containerHas(pod: Pod, container: Container): boolean {
    return this.config.disableQuota && this.isIsolated(pod, container);
  }

  /** Whether the container has exclusive CPUs, rather than those of its pod. */
  private isIsolated(pod: Pod, container: Container): boolean {
    if (this.state.of(podUid(pod), container.name) === undefined) return false;
    const { podLevelResourceManagers } = this.config;
    if (!podLevelResourceManagers || !hasPodLevelResources(pod)) return true;
    return guaranteedCpus(pod, container, { podLevelResourceManagers }) > 0;
  }

  /** Undefined with policy none. */
  private async setting(): Promise<StaticSetting | undefined> {
    const { policy, policyOptions, reservedSystemCpus, reservedMilliCpu, topologyPolicy } = this.config;
    if (policy !== 'none' && policy !== 'static') throw fault(`unknown policy: "${policy}"`);
    const reservedList = parseCpuList(reservedSystemCpus);
    if (policy === 'none') {
      if (reservedList.length > 0) checkOnline(reservedList, cpuTopologyOf(await this.deps.machine.read()).cpus);
      if (Object.keys(policyOptions).length === 0) return undefined;
      const listed = Object.entries(policyOptions).map(([name, value]) => `${name}:${value}`);
      throw fault(`new none policy error: None policy: received unsupported options=map[${listed.sort().join(' ')}]`);
    }
    const topology = cpuTopologyOf(await this.deps.machine.read());
    const options = prefixed(() => staticPolicyOptions(policyOptions, this.config));
    prefixed(() => checkAlignBySocket(options, topology, topologyPolicy));
    const milli = reservedMilliCpu < 0 ? undefined : reservedMilliCpu;
    const reserved = reservedCpus(topology, options, { cpus: reservedList, milli });
    return { topology, options, reserved };
  }

  private staticPolicy({ topology, reserved, options }: StaticSetting): CpuPolicy {
    const { state, counts: metrics } = this;
    const { affinity } = this.deps;
    const { podLevelResourceManagers } = this.config;
    try {
      return new StaticPolicy({ topology, reserved, state, affinity, metrics }, options, { podLevelResourceManagers });
    } catch (error) {
      const file = path.join(this.config.rootDir, cpuStateFile);
      this.deps.logger.error('Invalid state, please drain this node and delete the state file of the CPU manager', {
        file,
      });
      throw error;
    }
  }

  private async reconcile(): Promise<void> {
    this.releaseExcept();
    // What containers may run on never runs ahead of the file: whoever sees new CPUs there finds them in the state.
    await this.file.flushed();
    await this.reconciler.run(this.stopping.signal);
  }

  /** `admitted`: the pod under admission, which is not listed as active yet. */
  private releaseExcept(admitted?: Pod): void {
    if (this.state.assignments().size === 0 || !this.deps.podConfig.allSourcesReady()) return;
    const pods = admitted === undefined ? this.deps.activePods.list() : [...this.deps.activePods.list(), admitted];
    for (const { podUid: uid, container, held } of abandonedAssignments(this.state.assignments(), pods)) {
      this.deps.logger.info('CPUs are given back', { podUid: uid, container, cpus: held });
      this.policy.release(uid, container);
    }
  }
}

function fault(message: string): KubeletError {
  return new KubeletError(message, { code: 'invalid-argument' });
}

function prefixed<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new KubeletError(`new static policy error: ${messageOf(error)}`, { code: 'invalid-argument', cause: error });
  }
}
