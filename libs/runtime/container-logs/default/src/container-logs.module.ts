import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { CONTAINER_LOGS } from '@podwright/container-logs-interface';
import { fileContainerLogsConfigSchema } from './file-container-logs-config.js';
import { containerLogsNeeds, FileContainerLogs } from './file-container-logs.js';

export const containerLogsModule = defineModule({
  name: '@podwright/container-logs',
  provides: [CONTAINER_LOGS],
  needs: containerLogsNeeds,
  config: fileContainerLogsConfigSchema,
  create: (deps, config) => new FileContainerLogs(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options of the wrong kind. */
export const createFileContainerLogs = factoryOf(containerLogsModule);
