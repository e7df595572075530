import { ADMISSION_HANDLERS } from '@podwright/admission-interface';
import { CLOCK, defineModule, LOGGER, METRICS } from '@podwright/assembly-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { NODE_SHUTDOWN_MANAGER } from '@podwright/node-shutdown-interface';
import { ACTIVE_PODS, POD_WORKERS } from '@podwright/pod-workers-interface';
import { STATUS_DELIVERY } from '@podwright/status-interface';
import { VOLUME_MANAGER } from '@podwright/volume-interface';
import { gracefulNodeShutdownConfigSchema } from './graceful-node-shutdown-config.js';
import { GracefulNodeShutdown } from './graceful-node-shutdown.js';

export const gracefulNodeShutdownModule = defineModule({
  name: '@podwright/node-shutdown',
  provides: [NODE_SHUTDOWN_MANAGER],
  requires: [
    ACTIVE_PODS,
    POD_WORKERS,
    VOLUME_MANAGER,
    STATUS_DELIVERY,
    ADMISSION_HANDLERS,
    EVENT_RECORDER,
    CLOCK,
    LOGGER,
    METRICS,
  ],
  config: gracefulNodeShutdownConfigSchema,
  register: (container) => {
    container.registerSingleton(GracefulNodeShutdown);
    container.register(NODE_SHUTDOWN_MANAGER, { useToken: GracefulNodeShutdown }); // alias: both names give one instance
  },
});
