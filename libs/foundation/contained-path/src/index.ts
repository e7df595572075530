export { ContainedFolder, makeContainedFolder } from './contained-folder.js';
export type { ToError } from './contained-folder.js';
export { handlePath } from './handle-path.js';
export { openContained, openForReading } from './open-contained.js';
export type { LinkPolicy } from './open-contained.js';
export { openRegularFile } from './regular-file.js';
