export { FileOfflineObjects, fileOfflineObjectsNeeds } from './file-offline-objects.js';
export { fileOfflineObjectsConfigSchema } from './file-offline-objects-config.js';
export type { FileOfflineObjectsConfig } from './file-offline-objects-config.js';
export { createFileOfflineObjects, offlineObjectsModule } from './file-offline-objects.module.js';
