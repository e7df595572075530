import { ADMISSION, ADMISSION_HANDLERS, PLUGIN_RESOURCES } from '@podwright/admission-interface';
import { CLOCK, LOGGER, METRICS, defineModule } from '@podwright/assembly-interface';
import { NODE_SOURCE } from '@podwright/node-status-interface';
import { PREEMPTION } from '@podwright/preemption-interface';
import { nodeAdmissionConfigSchema } from './node-admission-config.js';
import { NodeAdmission } from './node-admission.js';

export const admissionModule = defineModule({
  name: '@podwright/admission',
  provides: [ADMISSION],
  requires: [ADMISSION_HANDLERS, PLUGIN_RESOURCES, NODE_SOURCE, PREEMPTION, CLOCK, LOGGER, METRICS],
  config: nodeAdmissionConfigSchema,
  register: (container) => {
    container.registerSingleton(NodeAdmission);
    container.register(ADMISSION, { useToken: NodeAdmission });
  },
});
