import { CLOCK, defineModule, LOGGER, METRICS } from '@podwright/assembly-interface';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import { POD_RESOURCES_SERVER, RESOURCE_ASSIGNMENTS } from '@podwright/pod-resources-interface';
import { ACTIVE_PODS } from '@podwright/pod-workers-interface';
import { grpcPodResourcesConfigSchema } from './grpc-pod-resources-config.js';
import { GrpcPodResourcesServer } from './grpc-pod-resources-server.js';

export const grpcPodResourcesServerModule = defineModule({
  name: '@podwright/pod-resources',
  provides: [POD_RESOURCES_SERVER],
  requires: [POD_MANAGER, ACTIVE_PODS, CLOCK, METRICS, LOGGER],
  optional: [RESOURCE_ASSIGNMENTS],
  config: grpcPodResourcesConfigSchema,
  register: (container) => {
    container.registerSingleton(GrpcPodResourcesServer);
    container.register(POD_RESOURCES_SERVER, { useToken: GrpcPodResourcesServer }); // alias: both names give one instance
  },
});
