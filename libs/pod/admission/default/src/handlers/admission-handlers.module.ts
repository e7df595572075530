import { ADMISSION_HANDLERS, PLUGIN_RESOURCES } from '@podwright/admission-interface';
import { defineModule } from '@podwright/assembly-interface';
import { ResourceAdjustments } from './resource-adjustments.js';
import { StageHandlers } from './stage-handlers.js';

/** Where other managers join admission, apart from admission itself: it needs managers that need those. */
export const admissionHandlersModule = defineModule({
  name: '@podwright/admission#handlers',
  provides: [ADMISSION_HANDLERS, PLUGIN_RESOURCES],
  requires: [],
  register: (container) => {
    container.registerSingleton(StageHandlers);
    container.register(ADMISSION_HANDLERS, { useToken: StageHandlers });
    container.registerSingleton(ResourceAdjustments);
    container.register(PLUGIN_RESOURCES, { useToken: ResourceAdjustments });
  },
});
