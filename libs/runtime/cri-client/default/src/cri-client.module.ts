import { CLOCK, defineModule, LOGGER, METRICS } from '@podwright/assembly-interface';
import { IMAGE_SERVICE, RUNTIME_CONNECTION, RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { TRACER } from '@podwright/tracing-interface';
import { criClientConfigSchema } from './cri-client-config.js';
import { GrpcCriClient } from './grpc-cri-client.js';

export const criClientModule = defineModule({
  name: '@podwright/cri-client',
  provides: [RUNTIME_CONNECTION, RUNTIME_SERVICE, IMAGE_SERVICE],
  requires: [CLOCK, LOGGER, METRICS],
  optional: [TRACER],
  config: criClientConfigSchema,
  register: (container) => {
    container.registerSingleton(GrpcCriClient);
    container.register(RUNTIME_CONNECTION, { useToken: GrpcCriClient });
    container.register(RUNTIME_SERVICE, { useToken: GrpcCriClient });
    container.register(IMAGE_SERVICE, { useToken: GrpcCriClient });
  },
});
