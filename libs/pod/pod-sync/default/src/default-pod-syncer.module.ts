import { ACTUATED_RESOURCES, ALLOCATED_RESOURCES, RESIZE_CONDITIONS } from '@podwright/allocation-interface';
import { CLOCK, LOGGER, defineModule } from '@podwright/assembly-interface';
import { CGROUP_MANAGER } from '@podwright/cgroup-interface';
import { CONFIGMAP_MANAGER } from '@podwright/configmap-interface';
import { CONTAINER_RUNTIME, RUNTIME_STATE } from '@podwright/container-runtime-interface';
import { RUNTIME_CONNECTION } from '@podwright/cri-client-interface';
import { ALLOCATED_RESOURCE_HEALTH } from '@podwright/device-manager-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { NODE_SOURCE } from '@podwright/node-status-interface';
import { RELIST_CONTROL } from '@podwright/pleg-interface';
import { MIRROR_POD_CLIENT } from '@podwright/pod-manager-interface';
import { POD_SYNCER } from '@podwright/pod-sync-interface';
import { POD_LIFECYCLE, POD_WORK_QUEUE } from '@podwright/pod-workers-interface';
import { PROBE_MANAGER } from '@podwright/probe-interface';
import { RUNTIME_CLASSES } from '@podwright/runtime-class-interface';
import { SECRET_MANAGER } from '@podwright/secret-interface';
import { STATUS_MANAGER } from '@podwright/status-interface';
import { TRACER } from '@podwright/tracing-interface';
import { USER_NAMESPACES } from '@podwright/user-namespace-interface';
import { VOLUME_MANAGER } from '@podwright/volume-interface';
import { DefaultPodSyncer } from './default-pod-syncer.js';
import { PodPrerequisites } from './pod-prerequisites.js';
import { PodStatuses } from './pod-statuses.js';
import { podSyncConfig } from './pod-sync-config.js';
import { ResizeProgress } from './resize-progress.js';

export const podSyncModule = defineModule({
  name: '@podwright/pod-sync',
  provides: [POD_SYNCER],
  requires: [
    CONTAINER_RUNTIME,
    RUNTIME_CONNECTION,
    RUNTIME_STATE,
    RUNTIME_CLASSES,
    RELIST_CONTROL,
    STATUS_MANAGER,
    PROBE_MANAGER,
    VOLUME_MANAGER,
    CGROUP_MANAGER,
    ALLOCATED_RESOURCES,
    ACTUATED_RESOURCES,
    RESIZE_CONDITIONS,
    SECRET_MANAGER,
    CONFIGMAP_MANAGER,
    USER_NAMESPACES,
    NODE_SOURCE,
    POD_LIFECYCLE,
    POD_WORK_QUEUE,
    EVENT_RECORDER,
    CLOCK,
    LOGGER,
  ],
  optional: [MIRROR_POD_CLIENT, ALLOCATED_RESOURCE_HEALTH, TRACER],
  config: podSyncConfig,
  register: (container) => {
    container.registerSingleton(ResizeProgress);
    container.registerSingleton(PodPrerequisites);
    container.registerSingleton(PodStatuses);
    container.registerSingleton(DefaultPodSyncer);
    container.register(POD_SYNCER, { useToken: DefaultPodSyncer });
  },
});
