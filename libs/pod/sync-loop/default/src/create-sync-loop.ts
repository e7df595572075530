import type { ActuatedResources, AllocatedResources, AllocationManager } from '@podwright/allocation-interface';
import type { CgroupManager, PodCgroupCpuReduction } from '@podwright/cgroup-interface';
import type { ContainerGc } from '@podwright/container-gc-interface';
import type { ContainerRuntime, RuntimeState } from '@podwright/container-runtime-interface';
import type { AllocatedResourceHealth } from '@podwright/device-manager-interface';
import type { EventRecorder } from '@podwright/events-interface';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { NodeSource } from '@podwright/node-status-interface';
import type { Pleg, RuntimeView } from '@podwright/pleg-interface';
import type { PodConfig } from '@podwright/pod-config-interface';
import type { MirrorPodClient, PodManager } from '@podwright/pod-manager-interface';
import type { PodMemory } from '@podwright/pod-memory-interface';
import type { ActivePods, PodLifecycle, PodWorkQueue, PodWorkers } from '@podwright/pod-workers-interface';
import type { ProbeManager, ProbeResults } from '@podwright/probe-interface';
import type { StatusManager } from '@podwright/status-interface';
import type { Bootstrap, SyncHandler } from '@podwright/sync-loop-interface';
import type { Clock } from '@podwright/time';
import type { UserNamespaces } from '@podwright/user-namespace-interface';
import type { VolumeManager } from '@podwright/volume-interface';
import { Housekeeping } from './housekeeping.js';
import { PodHandlers } from './pod-handlers.js';
import type { SyncLoopConfig } from './sync-loop-config.js';
import { SyncLoop } from './sync-loop.js';

export interface SyncLoopDeps {
  readonly podConfig: PodConfig;
  readonly pods: PodManager;
  readonly workers: PodWorkers;
  readonly activePods: ActivePods;
  readonly lifecycle: PodLifecycle;
  readonly workQueue: PodWorkQueue;
  readonly allocations: AllocationManager;
  /** Pods are synced at once when the health of what they hold changes. */
  readonly resourceHealth?: Pick<AllocatedResourceHealth, 'watch'>;
  readonly allocated: Pick<AllocatedResources, 'withAllocation'>;
  readonly actuated: Pick<ActuatedResources, 'removeOrphans'>;
  readonly statuses: StatusManager;
  readonly probes: ProbeManager;
  readonly probeResults: ProbeResults;
  readonly runtime: ContainerRuntime;
  readonly runtimeState: RuntimeState;
  readonly pleg: Pleg;
  /** Without it housekeeping lists the runtime when nobody has just done so. */
  readonly runtimeView?: RuntimeView;
  readonly containerGc: ContainerGc;
  readonly volumes: VolumeManager;
  readonly cgroups: CgroupManager;
  /** Without it an orphaned pod keeps its CPU until its volumes are gone. */
  readonly cpuReduction?: PodCgroupCpuReduction;
  readonly userNamespaces: Pick<UserNamespaces, 'releaseOrphans'>;
  /** Without it static pods have no mirror pods. */
  readonly mirrorPods?: Pick<MirrorPodClient, 'delete'>;
  readonly podMemory: PodMemory;
  readonly node: Pick<NodeSource, 'declaredFeatures'>;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

export interface SyncLoopParts {
  readonly bootstrap: Bootstrap;
  readonly handler: SyncHandler;
}

/** Makes the loop and its handlers without a container. */
export function createSyncLoop(deps: SyncLoopDeps, config: SyncLoopConfig): SyncLoopParts {
  const { podConfig, pods, workers, statuses, runtime, containerGc, events, clock, logger } = deps;
  const housekeeping = new Housekeeping(
    pods,
    workers,
    deps.activePods,
    runtime,
    deps.probes,
    statuses,
    deps.volumes,
    deps.cgroups,
    deps.podMemory,
    deps.userNamespaces,
    deps.allocations,
    deps.allocated,
    deps.actuated,
    deps.metrics,
    clock,
    logger,
    config,
    deps.cpuReduction,
    deps.mirrorPods,
    deps.runtimeView,
  );
  const handler = new PodHandlers(
    pods,
    workers,
    deps.lifecycle,
    podConfig,
    deps.allocations,
    deps.allocated,
    statuses,
    containerGc,
    events,
    logger,
    housekeeping,
    deps.node,
    config,
  );
  const bootstrap = new SyncLoop(
    podConfig,
    deps.pleg,
    deps.workQueue,
    deps.probeResults,
    deps.runtimeState,
    handler,
    pods,
    statuses,
    containerGc,
    events,
    deps.allocations,
    clock,
    logger,
    config,
    deps.resourceHealth,
  );
  return { bootstrap, handler };
}
