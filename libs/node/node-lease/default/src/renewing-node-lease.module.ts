import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { NODE_LEASE } from '@podwright/node-lease-interface';
import { renewingNodeLeaseConfigSchema } from './renewing-node-lease-config.js';
import { RenewingNodeLease, renewingNodeLeaseNeeds } from './renewing-node-lease.js';

export const renewingNodeLeaseModule = defineModule({
  name: '@podwright/node-lease',
  provides: [NODE_LEASE],
  needs: renewingNodeLeaseNeeds,
  config: renewingNodeLeaseConfigSchema,
  create: (deps, config) => new RenewingNodeLease(deps, config),
});

/** Creates one without an assembly; `nodeName` is required. Throws `invalid-argument` for options out of range. */
export const createRenewingNodeLease = factoryOf(renewingNodeLeaseModule);
