import { CLOCK, LOGGER, METRICS, needs, optional, pick, RANDOM, type Needs } from '@podwright/assembly-interface';
import { RUNTIME_STATE, RUNTIME_STATE_REFRESH } from '@podwright/container-runtime-interface';
import { IMAGE_SERVICE, RUNTIME_CONNECTION, RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { JOURNAL } from '@podwright/journal-interface';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { NODE_SHUTDOWN_MANAGER } from '@podwright/node-shutdown-interface';
import { DEVICE_RESOURCES, NODE_PRESSURE, READINESS_CHECKS, REGISTERED_NODE } from '@podwright/node-status-interface';
import { VOLUMES_IN_USE } from '@podwright/volume-interface';
import { HOST_NETWORK } from '../addresses/host-network.js';

export const nodeStatusReporterNeeds = needs({
  client: KUBE_CLIENT,
  node: REGISTERED_NODE,
  runtimeState: RUNTIME_STATE,
  connection: RUNTIME_CONNECTION,
  runtime: pick(RUNTIME_SERVICE, 'version', 'updateRuntimeConfig'),
  images: pick(IMAGE_SERVICE, 'listImages'),
  recorder: EVENT_RECORDER,
  metrics: METRICS,
  clock: CLOCK,
  random: RANDOM,
  logger: LOGGER,
  refresh: optional(RUNTIME_STATE_REFRESH),
  readiness: optional(READINESS_CHECKS),
  pressure: optional(NODE_PRESSURE),
  shutdown: optional(NODE_SHUTDOWN_MANAGER),
  volumes: optional(VOLUMES_IN_USE),
  devices: optional(DEVICE_RESOURCES),
  /** Default: this machine's network. */
  network: optional(HOST_NETWORK),
  journal: optional(JOURNAL),
});
export type NodeStatusReporterNeeds = Needs<typeof nodeStatusReporterNeeds>;
