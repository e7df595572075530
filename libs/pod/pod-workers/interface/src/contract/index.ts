export { describePodWorkersContract } from './pod-workers-contract.js';
export type { PodWorkersHarness } from './pod-workers-contract.js';
export { createScriptedEnvironment } from './scripted-environment.js';
export type { ScriptedEnvironment, SyncCall } from './scripted-environment.js';
