export { FileLocalObjects, localObjectsNeeds } from './file-local-objects.js';
export { fileLocalObjectsConfigSchema } from './file-local-objects-config.js';
export type { FileLocalObjectsConfig } from './file-local-objects-config.js';
export { createFileLocalObjects, fileLocalObjectsModule } from './file-local-objects.module.js';
