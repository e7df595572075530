import { availableParallelism, totalmem } from 'node:os';
import { defineModule } from '@podwright/assembly-interface';
import { NODE_SOURCE, type NodeSource } from '@podwright/node-status-interface';

/** The bare machine as a node, as long as no module tells more about it: all of it can be given to pods. */
const machineNode: NodeSource = {
  start: async () => undefined,
  stop: async () => undefined,
  getNode: () => {
    const amounts = { cpu: String(availableParallelism()), memory: String(totalmem()) };
    return { status: { capacity: amounts, allocatable: amounts } };
  },
  fetchNode: async () => machineNode.getNode(),
  declaredFeatures: () => [],
};

export const machineNodeModule = defineModule({
  name: 'machine-node',
  provides: [NODE_SOURCE],
  requires: [],
  register: (container) => {
    container.register(NODE_SOURCE, { useValue: machineNode });
  },
});
