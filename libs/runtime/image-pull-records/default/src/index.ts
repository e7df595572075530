export { FileImagePullRecords, fileImagePullRecordsNeeds } from './file-image-pull-records.js';
export { fileImagePullRecordsConfigSchema } from './file-image-pull-records-config.js';
export type { FileImagePullRecordsConfig } from './file-image-pull-records-config.js';
export { createFileImagePullRecords, fileImagePullRecordsModule } from './file-image-pull-records.module.js';
