import { defineModule } from '@podwright/assembly-interface';
import { SERVICE_ACCOUNT_TOKENS } from '@podwright/service-account-token-interface';
import { StandaloneServiceAccountTokens } from './standalone-service-account-tokens.js';

export const serviceAccountTokenModule = defineModule({
  name: '@podwright/service-account-token',
  provides: [SERVICE_ACCOUNT_TOKENS],
  requires: [],
  register: (container) => {
    container.registerSingleton(StandaloneServiceAccountTokens);
    container.register(SERVICE_ACCOUNT_TOKENS, { useToken: StandaloneServiceAccountTokens });
  },
});
