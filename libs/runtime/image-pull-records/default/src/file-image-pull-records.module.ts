import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { IMAGE_PULL_RECORDS } from '@podwright/image-pull-records-interface';
import { fileImagePullRecordsConfigSchema } from './file-image-pull-records-config.js';
import { FileImagePullRecords, fileImagePullRecordsNeeds } from './file-image-pull-records.js';

export const fileImagePullRecordsModule = defineModule({
  name: '@podwright/image-pull-records',
  provides: [IMAGE_PULL_RECORDS],
  needs: fileImagePullRecordsNeeds,
  config: fileImagePullRecordsConfigSchema,
  create: (deps, config) => new FileImagePullRecords(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createFileImagePullRecords = factoryOf(fileImagePullRecordsModule);
