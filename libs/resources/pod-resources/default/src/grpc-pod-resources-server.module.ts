import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { POD_RESOURCES_SERVER } from '@podwright/pod-resources-interface';
import { grpcPodResourcesConfigSchema } from './grpc-pod-resources-config.js';
import { GrpcPodResourcesServer, grpcPodResourcesServerNeeds } from './grpc-pod-resources-server.js';

export const grpcPodResourcesServerModule = defineModule({
  name: '@podwright/pod-resources',
  provides: [POD_RESOURCES_SERVER],
  needs: grpcPodResourcesServerNeeds,
  config: grpcPodResourcesConfigSchema,
  create: (deps, config) => new GrpcPodResourcesServer(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createGrpcPodResourcesServer = factoryOf(grpcPodResourcesServerModule);
