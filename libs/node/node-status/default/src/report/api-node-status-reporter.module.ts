import { CLOCK, LOGGER, METRICS, RANDOM, defineModule } from '@podwright/assembly-interface';
import { RUNTIME_STATE, RUNTIME_STATE_REFRESH } from '@podwright/container-runtime-interface';
import { IMAGE_SERVICE, RUNTIME_CONNECTION, RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { NODE_SHUTDOWN_MANAGER } from '@podwright/node-shutdown-interface';
import {
  DEVICE_RESOURCES,
  NODE_PRESSURE,
  NODE_STATUS_REPORTER,
  REGISTERED_NODE,
} from '@podwright/node-status-interface';
import { VOLUMES_IN_USE } from '@podwright/volume-interface';
import { HOST_NETWORK } from '../addresses/host-network.js';
import { ApiNodeStatusReporter } from './api-node-status-reporter.js';
import { reporterConfigSchema } from './reporter-config.js';

export const nodeStatusReporterModule = defineModule({
  name: '@podwright/node-status#reporter',
  provides: [NODE_STATUS_REPORTER],
  requires: [
    KUBE_CLIENT,
    REGISTERED_NODE,
    RUNTIME_STATE,
    RUNTIME_CONNECTION,
    RUNTIME_SERVICE,
    IMAGE_SERVICE,
    EVENT_RECORDER,
    METRICS,
    CLOCK,
    RANDOM,
    LOGGER,
  ],
  optional: [
    RUNTIME_STATE_REFRESH,
    NODE_PRESSURE,
    NODE_SHUTDOWN_MANAGER,
    VOLUMES_IN_USE,
    DEVICE_RESOURCES,
    HOST_NETWORK,
  ],
  config: reporterConfigSchema,
  register: (container) => {
    container.registerSingleton(ApiNodeStatusReporter);
    container.register(NODE_STATUS_REPORTER, { useToken: ApiNodeStatusReporter });
  },
});
