import { ADMISSION } from '@podwright/admission-interface';
import { defineModule } from '@podwright/assembly-interface';
import { NodeAdmission } from './node-admission.js';

export const admissionModule = defineModule({
  name: '@podwright/admission',
  provides: [ADMISSION],
  requires: [],
  register: (container) => {
    container.registerSingleton(NodeAdmission);
    container.register(ADMISSION, { useToken: NodeAdmission });
  },
});
