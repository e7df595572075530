import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { SERVICE_ACCOUNT_TOKENS } from '@podwright/service-account-token-interface';
import { StandaloneServiceAccountTokens } from './standalone-service-account-tokens.js';

export const serviceAccountTokenModule = defineModule({
  name: '@podwright/service-account-token',
  provides: [SERVICE_ACCOUNT_TOKENS],
  create: () => new StandaloneServiceAccountTokens(),
});

/** Creates one without an assembly. */
export const createStandaloneServiceAccountTokens = factoryOf(serviceAccountTokenModule);
