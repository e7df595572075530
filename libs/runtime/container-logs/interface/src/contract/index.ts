export { describeContainerLogsContract } from './container-logs-contract.js';
export type { ContainerLogsHarness } from './container-logs-contract.js';
export { collect, LogReader } from './log-reader.js';
