import type { ActuatedResources, AllocatedResources, ResizeConditions } from '@podwright/allocation-interface';
import type { CgroupManager } from '@podwright/cgroup-interface';
import type { ConfigMapManager } from '@podwright/configmap-interface';
import type { ContainerRuntime, RuntimeState } from '@podwright/container-runtime-interface';
import type { RuntimeConnection } from '@podwright/cri-client-interface';
import type { AllocatedResourceHealth } from '@podwright/device-manager-interface';
import type { EventRecorder } from '@podwright/events-interface';
import type { Logger } from '@podwright/logging';
import type { NodeSource } from '@podwright/node-status-interface';
import type { RelistControl } from '@podwright/pleg-interface';
import type { MirrorPodClient } from '@podwright/pod-manager-interface';
import type { PodSyncer } from '@podwright/pod-sync-interface';
import type { PodLifecycle, PodWorkQueue } from '@podwright/pod-workers-interface';
import type { ProbeManager } from '@podwright/probe-interface';
import type { RuntimeClasses } from '@podwright/runtime-class-interface';
import type { SecretManager } from '@podwright/secret-interface';
import type { StatusManager } from '@podwright/status-interface';
import type { Clock } from '@podwright/time';
import type { Tracer } from '@podwright/tracing-interface';
import type { UserNamespaces } from '@podwright/user-namespace-interface';
import type { VolumeManager } from '@podwright/volume-interface';
import { DefaultPodSyncer } from './default-pod-syncer.js';
import { PodPrerequisites } from './pod-prerequisites.js';
import { PodStatuses } from './pod-statuses.js';
import type { PodSyncConfig } from './pod-sync-config.js';
import { ResizeProgress } from './resize-progress.js';

export interface PodSyncerDeps {
  readonly runtime: ContainerRuntime;
  readonly connection: Pick<RuntimeConnection, 'runtimeName'>;
  readonly runtimeState: Pick<RuntimeState, 'networkErrors' | 'handlers'>;
  readonly runtimeClasses: Pick<RuntimeClasses, 'handlerOf'>;
  readonly relist: RelistControl;
  readonly statuses: StatusManager;
  readonly probes: ProbeManager;
  readonly volumes: VolumeManager;
  readonly cgroups: CgroupManager;
  readonly allocated: Pick<AllocatedResources, 'withAllocation'>;
  readonly actuated: Pick<ActuatedResources, 'of' | 'setPod'>;
  readonly resizeConditions: ResizeConditions;
  readonly secrets: SecretManager;
  readonly configMaps: ConfigMapManager;
  readonly userNamespaces: Pick<UserNamespaces, 'release'>;
  readonly node: Pick<NodeSource, 'getNode'>;
  /** Without it static pods have no mirror pods. */
  readonly mirrorPods?: Pick<MirrorPodClient, 'reconcile'>;
  /** Without it no health of devices is shown. */
  readonly resourceHealth?: Pick<AllocatedResourceHealth, 'of'>;
  readonly lifecycle: PodLifecycle;
  readonly workQueue: Pick<PodWorkQueue, 'enqueue'>;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly tracer?: Tracer;
}

/** Makes one without a container. */
export function createPodSyncer(deps: PodSyncerDeps, config: PodSyncConfig): PodSyncer {
  const resizes = new ResizeProgress(deps.resizeConditions, deps.allocated, deps.actuated, deps.events, config);
  const prerequisites = new PodPrerequisites(
    deps.runtime,
    deps.runtimeState,
    deps.volumes,
    deps.cgroups,
    deps.secrets,
    deps.configMaps,
    deps.userNamespaces,
    resizes,
    deps.lifecycle,
    deps.events,
    deps.clock,
    deps.logger,
    config,
    deps.mirrorPods,
  );
  const { connection, runtimeState, runtimeClasses, statuses, probes, events, node, clock, logger } = deps;
  const podStatuses = new PodStatuses(
    statuses,
    probes,
    connection,
    runtimeState,
    runtimeClasses,
    resizes,
    events,
    node,
    clock,
    logger,
    config,
    deps.resourceHealth,
  );
  return new DefaultPodSyncer(
    deps.runtime,
    prerequisites,
    podStatuses,
    resizes,
    statuses,
    probes,
    deps.relist,
    deps.lifecycle,
    deps.workQueue,
    events,
    deps.tracer,
  );
}
