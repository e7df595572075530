export { describeStreamingContract } from './streaming-contract.js';
export type { ClientConnection, StreamingHarness } from './streaming-contract.js';
