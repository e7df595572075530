import { describeImagePullRecordsContract } from '@podwright/image-pull-records-interface/contract';
import { contractHarness } from './fixtures/contract-harness.js';

describeImagePullRecordsContract('FileImagePullRecords', contractHarness());
