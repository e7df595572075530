export { describeImageGcContract } from './image-gc-contract.js';
export type { ImageGcHarness } from './image-gc-contract.js';
