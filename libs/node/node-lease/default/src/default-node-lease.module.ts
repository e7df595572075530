import { defineModule, LOGGER } from '@podwright/assembly-interface';
import { NODE_LEASE } from '@podwright/node-lease-interface';
import { DefaultNodeLease } from './default-node-lease.js';
import { defaultNodeLeaseConfigSchema } from './default-node-lease-config.js';

export const defaultNodeLeaseModule = defineModule({
  name: '@podwright/node-lease',
  provides: [NODE_LEASE],
  requires: [LOGGER],
  config: defaultNodeLeaseConfigSchema,
  register: (container) => {
    container.registerSingleton(DefaultNodeLease);
    container.register(NODE_LEASE, { useToken: DefaultNodeLease }); // alias: both names give one instance
  },
});
