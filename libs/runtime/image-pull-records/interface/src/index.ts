export { IMAGE_PULL_RECORDS } from './image-pull-records.js';
export type { ImagePullRecords } from './image-pull-records.js';
