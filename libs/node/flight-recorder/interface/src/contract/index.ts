export { describeFlightRecorderContract } from './flight-recorder-contract.js';
export type { FlightRecorderHarness } from './flight-recorder-contract.js';
