export { describeEventRecorderContract } from './event-recorder-contract.js';
export type { EventRecorderHarness } from './event-recorder-contract.js';
export { describeRecentEventsContract } from './recent-events-contract.js';
export type { RecentEventsHarness } from './recent-events-contract.js';
