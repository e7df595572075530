export { describeConsoleContract } from './console-contract.js';
export type { ConsoleHarness } from './console-contract.js';
