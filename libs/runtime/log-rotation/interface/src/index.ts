export { LOG_ROTATION } from './log-rotation.js';
export type { LogRotation } from './log-rotation.js';
