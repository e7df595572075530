import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { SERVICE_ACCOUNT_TOKENS } from '@podwright/service-account-token-interface';
import { apiServiceAccountTokenNeeds, ApiServiceAccountTokens } from './api-service-account-tokens.js';

export const apiServiceAccountTokenModule = defineModule({
  name: '@podwright/service-account-token#api',
  provides: [SERVICE_ACCOUNT_TOKENS],
  needs: apiServiceAccountTokenNeeds,
  create: (deps) => new ApiServiceAccountTokens(deps),
});

/** Creates one without an assembly. */
export const createApiServiceAccountTokens = factoryOf(apiServiceAccountTokenModule);
