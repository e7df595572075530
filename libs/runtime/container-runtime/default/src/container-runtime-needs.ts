import { ACTUATED_RESOURCES } from '@podwright/allocation-interface';
import { CLOCK, LOGGER, METRICS, needs, optional, pick, RANDOM, type Needs } from '@podwright/assembly-interface';
import { CGROUP_MANAGER } from '@podwright/cgroup-interface';
import { CONTAINER_ENVIRONMENT } from '@podwright/container-environment-interface';
import { INTERNAL_CONTAINER_LIFECYCLE, LINUX_RESOURCES, POD_RESIZER } from '@podwright/container-runtime-interface';
import { IMAGE_SERVICE, RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { DRA_MANAGER } from '@podwright/dra-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { IMAGE_MANAGER } from '@podwright/image-interface';
import { JOURNAL } from '@podwright/journal-interface';
import { LIFECYCLE_HOOKS } from '@podwright/lifecycle-hooks-interface';
import { POD_CHECKPOINTS } from '@podwright/pod-checkpoint-interface';
import { PROBE_RESULTS } from '@podwright/probe-interface';
import { RUNTIME_CLASSES } from '@podwright/runtime-class-interface';
import { USER_NAMESPACES } from '@podwright/user-namespace-interface';
import { VOLUME_MANAGER } from '@podwright/volume-interface';

export const containerRuntimeNeeds = needs({
  runtime: RUNTIME_SERVICE,
  imageService: pick(IMAGE_SERVICE, 'imageStatus'),
  images: IMAGE_MANAGER,
  environment: CONTAINER_ENVIRONMENT,
  recorder: EVENT_RECORDER,
  probes: pick(PROBE_RESULTS, 'get'),
  hooks: LIFECYCLE_HOOKS,
  checkpoints: pick(POD_CHECKPOINTS, 'read', 'write'),
  cgroups: pick(CGROUP_MANAGER, 'podCgroupParent'),
  resources: LINUX_RESOURCES,
  resizer: POD_RESIZER,
  actuated: pick(ACTUATED_RESOURCES, 'setContainer'),
  volumes: pick(VOLUME_MANAGER, 'extraSupplementalGroups'),
  runtimeClasses: pick(RUNTIME_CLASSES, 'handlerOf'),
  userNamespaces: pick(USER_NAMESPACES, 'getOrCreate'),
  clock: CLOCK,
  random: RANDOM,
  logger: LOGGER,
  metrics: METRICS,
  /** Absent when no resource manager takes part. */
  internalLifecycle: optional(INTERNAL_CONTAINER_LIFECYCLE),
  /** Without it no claims are prepared. */
  claims: optional(pick(DRA_MANAGER, 'prepare')),
  journal: optional(JOURNAL),
});

export type ContainerRuntimeNeeds = Needs<typeof containerRuntimeNeeds>;
