import { ADMISSION_HANDLERS } from '@podwright/admission-interface';
import { defineModule } from '@podwright/assembly-interface';
import { CONTAINER_RUN_OPTIONS } from '@podwright/container-environment-interface';
import { INTERNAL_CONTAINER_LIFECYCLE } from '@podwright/container-runtime-interface';
import { CPU_MANAGER } from '@podwright/cpu-manager-interface';
import { DEVICE_MANAGER } from '@podwright/device-manager-interface';
import { MEMORY_MANAGER } from '@podwright/memory-manager-interface';
import { RESOURCE_ASSIGNMENTS } from '@podwright/pod-resources-interface';
import { TOPOLOGY_MANAGER } from '@podwright/topology-manager-interface';
import { ContainerResources } from './container-resources.js';

export const containerResourcesModule = defineModule({
  name: '@podwright/container-resources',
  provides: [INTERNAL_CONTAINER_LIFECYCLE, CONTAINER_RUN_OPTIONS, RESOURCE_ASSIGNMENTS],
  requires: [TOPOLOGY_MANAGER, ADMISSION_HANDLERS],
  optional: [DEVICE_MANAGER, CPU_MANAGER, MEMORY_MANAGER],
  register: (container) => {
    container.registerSingleton(ContainerResources);
    container.register(INTERNAL_CONTAINER_LIFECYCLE, { useToken: ContainerResources });
    container.register(CONTAINER_RUN_OPTIONS, { useToken: ContainerResources });
    container.register(RESOURCE_ASSIGNMENTS, { useToken: ContainerResources });
  },
});
