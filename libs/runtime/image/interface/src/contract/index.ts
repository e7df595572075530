export { describeImageManagerContract } from './image-manager-contract.js';
export type { ImageManagerHarness } from './image-manager-contract.js';
