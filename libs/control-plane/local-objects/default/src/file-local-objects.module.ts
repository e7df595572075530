import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { LOCAL_OBJECTS } from '@podwright/local-objects-interface';
import { fileLocalObjectsConfigSchema } from './file-local-objects-config.js';
import { FileLocalObjects, localObjectsNeeds } from './file-local-objects.js';

/** Provides `LOCAL_OBJECTS` with files below the state directory. */
export const fileLocalObjectsModule = defineModule({
  name: '@podwright/local-objects',
  provides: [LOCAL_OBJECTS],
  needs: localObjectsNeeds,
  config: fileLocalObjectsConfigSchema,
  create: (deps, config) => new FileLocalObjects(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createFileLocalObjects = factoryOf(fileLocalObjectsModule);
