import { ADMISSION_CHECKS } from '@podwright/admission-interface';
import { contribution, defineModule, factoryOf } from '@podwright/assembly-interface';
import { CONTAINER_RUN_OPTIONS } from '@podwright/container-environment-interface';
import { INTERNAL_CONTAINER_LIFECYCLE } from '@podwright/container-runtime-interface';
import { RESOURCE_ASSIGNMENTS } from '@podwright/pod-resources-interface';
import { ContainerResources, containerResourcesNeeds, type ContainerResourcesNeeds } from './container-resources.js';

export const containerResourcesModule = defineModule({
  name: '@podwright/container-resources',
  provides: [INTERNAL_CONTAINER_LIFECYCLE, CONTAINER_RUN_OPTIONS, RESOURCE_ASSIGNMENTS],
  needs: containerResourcesNeeds,
  create: (deps: ContainerResourcesNeeds) => new ContainerResources(deps),
  contributes: [contribution(ADMISSION_CHECKS, (resources: ContainerResources) => [resources.admissionCheck()])],
});

/** Creates one without an assembly. */
export const createContainerResources = factoryOf(containerResourcesModule);
