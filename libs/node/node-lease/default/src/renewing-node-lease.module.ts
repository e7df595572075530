import { CLOCK, defineModule, LOGGER, RANDOM } from '@podwright/assembly-interface';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { NODE_LEASE } from '@podwright/node-lease-interface';
import { renewingNodeLeaseConfigSchema } from './renewing-node-lease-config.js';
import { RenewingNodeLease } from './renewing-node-lease.js';

export const renewingNodeLeaseModule = defineModule({
  name: '@podwright/node-lease',
  provides: [NODE_LEASE],
  requires: [KUBE_CLIENT, CLOCK, RANDOM, LOGGER],
  config: renewingNodeLeaseConfigSchema,
  register: (container) => {
    container.registerSingleton(RenewingNodeLease);
    container.register(NODE_LEASE, { useToken: RenewingNodeLease }); // alias: both names give one instance
  },
});
