export { describeAssemblyContract } from './assembly-contract.js';
export type { AssemblyHarness } from './assembly-contract.js';
export { faultCases } from './fault-cases.js';
export type { ExpectedFault, FaultCase } from './fault-cases.js';
