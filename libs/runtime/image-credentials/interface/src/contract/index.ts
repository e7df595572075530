export { describeImageCredentialsContract } from './image-credentials-contract.js';
export type { ImageCredentialsHarness } from './image-credentials-contract.js';
