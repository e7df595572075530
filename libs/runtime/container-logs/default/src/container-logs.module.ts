import { CLOCK, defineModule, LOGGER } from '@podwright/assembly-interface';
import { CONTAINER_LOGS } from '@podwright/container-logs-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { POD_CACHE } from '@podwright/pod-cache-interface';
import { fileContainerLogsConfigSchema } from './file-container-logs-config.js';
import { FileContainerLogs } from './file-container-logs.js';

export const containerLogsModule = defineModule({
  name: '@podwright/container-logs',
  provides: [CONTAINER_LOGS],
  requires: [RUNTIME_SERVICE, POD_CACHE, CLOCK, LOGGER],
  config: fileContainerLogsConfigSchema,
  register: (container) => {
    container.registerSingleton(FileContainerLogs);
    container.register(CONTAINER_LOGS, { useToken: FileContainerLogs }); // alias: both names give one instance
  },
});
