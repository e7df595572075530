import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { IMAGE_SERVICE, RUNTIME_CONNECTION, RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { criClientConfigSchema } from './cri-client-config.js';
import { criClientNeeds, GrpcCriClient } from './grpc-cri-client.js';

export const criClientModule = defineModule({
  name: '@podwright/cri-client',
  provides: [RUNTIME_CONNECTION, RUNTIME_SERVICE, IMAGE_SERVICE],
  needs: criClientNeeds,
  config: criClientConfigSchema,
  create: (deps, config) => new GrpcCriClient(deps, config),
});

/**
 * Makes a client without an assembly. It opens no connection before `start()`. Throws `invalid-argument` for a bad
 * endpoint.
 */
export const createCriClient = factoryOf(criClientModule);
