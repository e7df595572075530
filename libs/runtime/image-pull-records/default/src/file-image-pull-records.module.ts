import { CLOCK, defineModule, LOGGER, METRICS } from '@podwright/assembly-interface';
import { IMAGE_SERVICE } from '@podwright/cri-client-interface';
import { IMAGE_PULL_RECORDS } from '@podwright/image-pull-records-interface';
import { fileImagePullRecordsConfigSchema } from './file-image-pull-records-config.js';
import { FileImagePullRecords } from './file-image-pull-records.js';

export const fileImagePullRecordsModule = defineModule({
  name: '@podwright/image-pull-records',
  provides: [IMAGE_PULL_RECORDS],
  requires: [IMAGE_SERVICE, CLOCK, LOGGER, METRICS],
  config: fileImagePullRecordsConfigSchema,
  register: (container) => {
    container.registerSingleton(FileImagePullRecords);
    container.register(IMAGE_PULL_RECORDS, { useToken: FileImagePullRecords }); // alias: both names give one instance
  },
});
