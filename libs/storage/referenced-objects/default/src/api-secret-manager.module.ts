import { CLOCK, defineModule, LOGGER } from '@podwright/assembly-interface';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { NODE_SOURCE } from '@podwright/node-status-interface';
import { SECRET_MANAGER } from '@podwright/secret-interface';
import { ApiSecretManager } from './api-secret-manager.js';
import { apiSecretsConfigSchema } from './referenced-objects-config.js';

export const apiSecretsModule = defineModule({
  name: '@podwright/referenced-objects#secrets',
  provides: [SECRET_MANAGER],
  requires: [KUBE_CLIENT, NODE_SOURCE, CLOCK, LOGGER],
  config: apiSecretsConfigSchema,
  register: (container) => {
    container.registerSingleton(ApiSecretManager);
    container.register(SECRET_MANAGER, { useToken: ApiSecretManager }); // alias: both names give one instance
  },
});
