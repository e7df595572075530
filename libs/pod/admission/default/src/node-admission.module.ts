import { ADMISSION } from '@podwright/admission-interface';
import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { nodeAdmissionConfigSchema } from './node-admission-config.js';
import { admissionNeeds, NodeAdmission } from './node-admission.js';

export const admissionModule = defineModule({
  name: '@podwright/admission',
  provides: [ADMISSION],
  needs: admissionNeeds,
  config: nodeAdmissionConfigSchema,
  create: (deps, config) => new NodeAdmission(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createNodeAdmission = factoryOf(admissionModule);
