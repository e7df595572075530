import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { PODS_API } from '@podwright/pods-api-interface';
import { GrpcPodsApi, podsApiNeeds } from './grpc-pods-api.js';
import { grpcPodsApiConfigSchema } from './grpc-pods-api-config.js';

export const grpcPodsApiModule = defineModule({
  name: '@podwright/pods-api',
  provides: [PODS_API],
  needs: podsApiNeeds,
  config: grpcPodsApiConfigSchema,
  create: (deps, config) => new GrpcPodsApi(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createGrpcPodsApi = factoryOf(grpcPodsApiModule);
