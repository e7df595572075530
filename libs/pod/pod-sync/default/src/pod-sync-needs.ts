import { CLOCK, LOGGER, METRICS, needs, optional, pick, type Needs } from '@podwright/assembly-interface';
import { ACTUATED_RESOURCES, ALLOCATED_RESOURCES, RESIZE_CONDITIONS } from '@podwright/allocation-interface';
import { CGROUP_MANAGER, POD_CGROUP_RESOURCES } from '@podwright/cgroup-interface';
import { CONFIGMAP_MANAGER, SECRET_MANAGER } from '@podwright/referenced-objects-interface';
import { CONTAINER_RUNTIME, RUNTIME_STATE } from '@podwright/container-runtime-interface';
import { IMAGE_SERVICE, RUNTIME_CONNECTION } from '@podwright/cri-client-interface';
import { ALLOCATED_RESOURCE_HEALTH } from '@podwright/device-manager-interface';
import { DRA_MANAGER } from '@podwright/dra-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { NODE_SOURCE, REGISTERED_NODE } from '@podwright/node-status-interface';
import { RELIST_CONTROL } from '@podwright/pleg-interface';
import { MIRROR_POD_CLIENT } from '@podwright/pod-manager-interface';
import { POD_LIFECYCLE, POD_WORK_QUEUE } from '@podwright/pod-workers-interface';
import { PROBE_MANAGER } from '@podwright/probe-interface';
import { RUNTIME_CLASSES } from '@podwright/runtime-class-interface';
import { STATUS_MANAGER } from '@podwright/status-interface';
import { TRACER } from '@podwright/tracing-interface';
import { USER_NAMESPACES } from '@podwright/user-namespace-interface';
import { VOLUME_MANAGER } from '@podwright/volume-interface';

export const podSyncNeeds = needs({
  resizeConditions: RESIZE_CONDITIONS,
  allocated: pick(ALLOCATED_RESOURCES, 'withAllocation'),
  actuated: pick(ACTUATED_RESOURCES, 'of', 'setPod'),
  events: EVENT_RECORDER,
  runtime: CONTAINER_RUNTIME,
  runtimeState: pick(RUNTIME_STATE, 'networkErrors', 'handlers'),
  volumes: VOLUME_MANAGER,
  cgroups: CGROUP_MANAGER,
  /** Without it statuses do not show what the cgroups of pods have. */
  podCgroups: optional(pick(POD_CGROUP_RESOURCES, 'read')),
  secrets: SECRET_MANAGER,
  configMaps: CONFIGMAP_MANAGER,
  userNamespaces: pick(USER_NAMESPACES, 'release'),
  lifecycle: POD_LIFECYCLE,
  clock: CLOCK,
  logger: LOGGER,
  metrics: METRICS,
  /** Without it static pods have no mirror pods. */
  mirrorPods: optional(pick(MIRROR_POD_CLIENT, 'reconcile')),
  statuses: STATUS_MANAGER,
  probes: PROBE_MANAGER,
  connection: pick(RUNTIME_CONNECTION, 'runtimeName'),
  /** For the digests of image volumes. */
  images: pick(IMAGE_SERVICE, 'imageStatus'),
  runtimeClasses: pick(RUNTIME_CLASSES, 'handlerOf'),
  node: pick(NODE_SOURCE, 'getNode'),
  /** Without it a change of the Node's addresses shows with the next sync. */
  registeredNode: optional(pick(REGISTERED_NODE, 'watch')),
  /** What statuses show of the health of devices. */
  resourceHealth: ALLOCATED_RESOURCE_HEALTH,
  /** Without it no claims are unprepared. */
  claims: optional(pick(DRA_MANAGER, 'unprepare')),
  relist: RELIST_CONTROL,
  workQueue: pick(POD_WORK_QUEUE, 'enqueue'),
  tracer: optional(TRACER),
});
export type PodSyncNeeds = Needs<typeof podSyncNeeds>;
