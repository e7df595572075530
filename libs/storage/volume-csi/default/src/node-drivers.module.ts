import { contribution, defineModule, factoryOf } from '@podwright/assembly-interface';
import { READINESS_CHECKS } from '@podwright/node-status-interface';
import { ATTACH_LIMITS } from '@podwright/volume-interface';
import { CSI_CLIENTS } from './client/csi-client.js';
import { CSI_DRIVERS } from './csi-drivers/csi-driver-objects.js';
import { nodeDriversConfigSchema, type NodeDriversConfig } from './node-drivers-config.js';
import { NodeDrivers, nodeDriversNeeds, type NodeDriversNeeds } from './node-drivers.js';

/** The half of CSI that concerns the node: registration, CSINode, and the clients of the drivers. */
export const nodeDriversModule = defineModule({
  name: '@podwright/volume-csi#node',
  provides: { drivers: CSI_DRIVERS, clients: CSI_CLIENTS, limits: ATTACH_LIMITS },
  needs: nodeDriversNeeds,
  config: nodeDriversConfigSchema,
  create: (deps: NodeDriversNeeds, config: NodeDriversConfig) => {
    const node = new NodeDrivers(deps, config);
    return { drivers: node.objects, clients: node.clients, limits: node };
  },
  contributes: [
    contribution(READINESS_CHECKS, ({ limits }: { readonly limits: NodeDrivers }) => [() => limits.notReady()]),
  ],
});

/** Creates the parts without an assembly; `limits` starts and stops all. `nodeName` is required. Throws `invalid-argument` for options out of range. */
export const createNodeDrivers = factoryOf(nodeDriversModule);
