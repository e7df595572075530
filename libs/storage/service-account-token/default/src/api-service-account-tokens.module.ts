import { CLOCK, defineModule, LOGGER, RANDOM } from '@podwright/assembly-interface';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { SERVICE_ACCOUNT_TOKENS } from '@podwright/service-account-token-interface';
import { ApiServiceAccountTokens } from './api-service-account-tokens.js';

export const apiServiceAccountTokenModule = defineModule({
  name: '@podwright/service-account-token#api',
  provides: [SERVICE_ACCOUNT_TOKENS],
  requires: [KUBE_CLIENT, CLOCK, RANDOM, LOGGER],
  register: (container) => {
    container.registerSingleton(ApiServiceAccountTokens);
    container.register(SERVICE_ACCOUNT_TOKENS, { useToken: ApiServiceAccountTokens }); // alias: both names give one instance
  },
});
