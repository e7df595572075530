export { RUNTIME_CLASSES } from './runtime-classes.js';
export type { RuntimeClasses } from './runtime-classes.js';
