export { describePodWorkersContract } from './pod-workers-contract.js';
export type { PodWorkersHarness } from './contract-workers.js';
export { createScriptedEnvironment } from './scripted-environment.js';
export type { ScriptedEnvironment, SyncCall } from './scripted-environment.js';
