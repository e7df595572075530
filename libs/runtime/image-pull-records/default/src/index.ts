import 'reflect-metadata'; // tsyringe refuses to load without it
export { createFileImagePullRecords, FileImagePullRecords } from './file-image-pull-records.js';
export type { FileImagePullRecordsDeps } from './file-image-pull-records.js';
export { FILE_IMAGE_PULL_RECORDS_CONFIG, fileImagePullRecordsConfigSchema } from './file-image-pull-records-config.js';
export type { FileImagePullRecordsConfig } from './file-image-pull-records-config.js';
export { fileImagePullRecordsModule } from './file-image-pull-records.module.js';
