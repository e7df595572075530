import { contribution, defineModule, factoryOf } from '@podwright/assembly-interface';
import { SERVICE_ACCOUNT_TOKENS } from '@podwright/service-account-token-interface';
import { HOUSEKEEPING_STEPS, type HousekeepingStep } from '@podwright/sync-loop-interface';
import {
  apiServiceAccountTokenNeeds,
  ApiServiceAccountTokens,
  type ApiServiceAccountTokenNeeds,
} from './api-service-account-tokens.js';

export const apiServiceAccountTokenModule = defineModule({
  name: '@podwright/service-account-token#api',
  provides: [SERVICE_ACCOUNT_TOKENS],
  needs: apiServiceAccountTokenNeeds,
  create: (deps: ApiServiceAccountTokenNeeds) => new ApiServiceAccountTokens(deps),
  contributes: [contribution(HOUSEKEEPING_STEPS, (tokens: ApiServiceAccountTokens) => [savedTokensStep(tokens)])],
});

const savedTokensStep = (tokens: Pick<ApiServiceAccountTokens, 'forgetAllBut'>): HousekeepingStep => ({
  stage: 'last',
  failure: 'Failed removing the saved tokens of pods that are gone',
  clean: ({ known }) => tokens.forgetAllBut(known),
});

/** Creates one without an assembly. */
export const createApiServiceAccountTokens = factoryOf(apiServiceAccountTokenModule);
