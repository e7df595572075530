import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { ClaimReconciler, claimReconcilerConfigSchema, claimReconcilerNeeds } from './claim-reconciler.js';

export const claimReconcilerModule = defineModule({
  name: '@podwright/dra#reconcile',
  provides: [],
  needs: claimReconcilerNeeds,
  config: claimReconcilerConfigSchema,
  create: (deps, config) => new ClaimReconciler(deps, config),
});

/** Creates one without an assembly. */
export const createClaimReconciler = factoryOf(claimReconcilerModule);
