export { describeCriContract } from './cri-contract.js';
export type { ContractProgram, CriCapabilities, CriContractSubject, CriHarness } from './cri-harness.js';
export { runtimeDifferences, type RuntimeDifference } from './runtime-differences.js';
