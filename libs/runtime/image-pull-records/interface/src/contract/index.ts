export { accountCredential, nodeCredential, secretCredential } from './contract-credentials.js';
export { describeImagePullRecordsContract } from './image-pull-records-contract.js';
export type { ImagePullRecordsHarness } from './image-pull-records-contract.js';
