import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { OFFLINE_OBJECTS } from '@podwright/offline-objects-interface';
import { FileOfflineObjects, fileOfflineObjectsNeeds } from './file-offline-objects.js';
import { fileOfflineObjectsConfigSchema } from './file-offline-objects-config.js';

/** Provides `OFFLINE_OBJECTS`; not part of the kubelet unless an assembly file adds it. */
export const offlineObjectsModule = defineModule({
  name: '@podwright/offline-objects',
  provides: [OFFLINE_OBJECTS],
  needs: fileOfflineObjectsNeeds,
  config: fileOfflineObjectsConfigSchema,
  create: (deps, config) => new FileOfflineObjects(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createFileOfflineObjects = factoryOf(offlineObjectsModule);
