import { defineModule, LOGGER } from '@podwright/assembly-interface';
import { CONFIGMAP_MANAGER } from '@podwright/configmap-interface';
import {
  CONTAINER_ENVIRONMENT,
  CONTAINER_RUN_OPTIONS,
  SERVICE_SOURCE,
} from '@podwright/container-environment-interface';
import { RUNTIME_STATE } from '@podwright/container-runtime-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { NODE_SOURCE } from '@podwright/node-status-interface';
import { RUNTIME_CLASSES } from '@podwright/runtime-class-interface';
import { SECRET_MANAGER } from '@podwright/secret-interface';
import { VOLUME_MANAGER } from '@podwright/volume-interface';
import { localContainerEnvironmentConfigSchema } from './local-container-environment-config.js';
import { LocalContainerEnvironment } from './local-container-environment.js';

export const localContainerEnvironmentModule = defineModule({
  name: '@podwright/container-environment',
  provides: [CONTAINER_ENVIRONMENT],
  requires: [
    VOLUME_MANAGER,
    SECRET_MANAGER,
    CONFIGMAP_MANAGER,
    EVENT_RECORDER,
    RUNTIME_STATE,
    RUNTIME_CLASSES,
    SERVICE_SOURCE,
    NODE_SOURCE,
    LOGGER,
  ],
  optional: [CONTAINER_RUN_OPTIONS],
  config: localContainerEnvironmentConfigSchema,
  register: (container) => {
    container.registerSingleton(LocalContainerEnvironment);
    container.register(CONTAINER_ENVIRONMENT, { useToken: LocalContainerEnvironment }); // alias: one instance
  },
});
