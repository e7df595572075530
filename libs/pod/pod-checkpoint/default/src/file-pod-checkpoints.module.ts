import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { POD_CHECKPOINTS } from '@podwright/pod-checkpoint-interface';
import { FilePodCheckpoints, filePodCheckpointsNeeds } from './file-pod-checkpoints.js';
import { filePodCheckpointsConfigSchema } from './file-pod-checkpoints-config.js';

/** Provides `POD_CHECKPOINTS` with files below the state directory. */
export const filePodCheckpointsModule = defineModule({
  name: '@podwright/pod-checkpoint',
  provides: [POD_CHECKPOINTS],
  needs: filePodCheckpointsNeeds,
  config: filePodCheckpointsConfigSchema,
  create: (deps, config) => new FilePodCheckpoints(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createFilePodCheckpoints = factoryOf(filePodCheckpointsModule);
