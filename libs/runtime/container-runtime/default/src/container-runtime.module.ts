import { ACTUATED_RESOURCES } from '@podwright/allocation-interface';
import { CLOCK, defineModule, LOGGER, METRICS, RANDOM } from '@podwright/assembly-interface';
import { CGROUP_MANAGER, POD_CGROUP_RESOURCES } from '@podwright/cgroup-interface';
import { CONTAINER_ENVIRONMENT } from '@podwright/container-environment-interface';
import { CONTAINER_RUNTIME, INTERNAL_CONTAINER_LIFECYCLE } from '@podwright/container-runtime-interface';
import { EXCLUSIVE_CPUS } from '@podwright/cpu-manager-interface';
import { IMAGE_SERVICE, RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { IMAGE_MANAGER } from '@podwright/image-interface';
import { LIFECYCLE_HOOKS } from '@podwright/lifecycle-hooks-interface';
import { POD_MEMORY } from '@podwright/pod-memory-interface';
import { PROBE_RESULTS } from '@podwright/probe-interface';
import { RUNTIME_CLASSES } from '@podwright/runtime-class-interface';
import { USER_NAMESPACES } from '@podwright/user-namespace-interface';
import { VOLUME_MANAGER } from '@podwright/volume-interface';
import { containerRuntimeConfigSchema } from './container-runtime-config.js';
import { KubeContainerRuntime } from './kube-container-runtime.js';

export const containerRuntimeModule = defineModule({
  name: '@podwright/container-runtime',
  provides: [CONTAINER_RUNTIME],
  requires: [
    RUNTIME_SERVICE,
    IMAGE_SERVICE,
    IMAGE_MANAGER,
    CONTAINER_ENVIRONMENT,
    EVENT_RECORDER,
    PROBE_RESULTS,
    LIFECYCLE_HOOKS,
    POD_MEMORY,
    CGROUP_MANAGER,
    POD_CGROUP_RESOURCES,
    ACTUATED_RESOURCES,
    VOLUME_MANAGER,
    RUNTIME_CLASSES,
    USER_NAMESPACES,
    CLOCK,
    RANDOM,
    LOGGER,
    METRICS,
  ],
  optional: [INTERNAL_CONTAINER_LIFECYCLE, EXCLUSIVE_CPUS],
  config: containerRuntimeConfigSchema,
  register: (container) => {
    container.registerSingleton(KubeContainerRuntime);
    container.register(CONTAINER_RUNTIME, { useToken: KubeContainerRuntime }); // alias: both names give one instance
  },
});
