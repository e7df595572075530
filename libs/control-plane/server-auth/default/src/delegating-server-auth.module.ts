import { CLOCK, defineModule, LOGGER, METRICS, RANDOM } from '@podwright/assembly-interface';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { SERVER_AUTH } from '@podwright/server-auth-interface';
import { delegatingServerAuthConfigSchema } from './delegating-server-auth-config.js';
import { DelegatingServerAuth } from './delegating-server-auth.js';

export const serverAuthModule = defineModule({
  name: '@podwright/server-auth',
  provides: [SERVER_AUTH],
  requires: [CLOCK, RANDOM, METRICS, LOGGER],
  optional: [KUBE_CLIENT],
  config: delegatingServerAuthConfigSchema,
  register: (container) => {
    container.registerSingleton(DelegatingServerAuth);
    container.register(SERVER_AUTH, { useToken: DelegatingServerAuth }); // alias: both names give one instance
  },
});
