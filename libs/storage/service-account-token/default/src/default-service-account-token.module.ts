import { defineModule, LOGGER } from '@podwright/assembly-interface';
import { SERVICE_ACCOUNT_TOKEN } from '@podwright/service-account-token-interface';
import { DefaultServiceAccountToken } from './default-service-account-token.js';
import { defaultServiceAccountTokenConfigSchema } from './default-service-account-token-config.js';

export const defaultServiceAccountTokenModule = defineModule({
  name: '@podwright/service-account-token',
  provides: [SERVICE_ACCOUNT_TOKEN],
  requires: [LOGGER],
  config: defaultServiceAccountTokenConfigSchema,
  register: (container) => {
    container.registerSingleton(DefaultServiceAccountToken);
    container.register(SERVICE_ACCOUNT_TOKEN, { useToken: DefaultServiceAccountToken }); // alias: both names give one instance
  },
});
