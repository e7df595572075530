export { createStrategicMergePatch } from './create-strategic-merge-patch.js';
export type { PatchField, PatchSchema } from './patch-schema.js';
export { patchSchemaOf } from './patch-schemas.js';
