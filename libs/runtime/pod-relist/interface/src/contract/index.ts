export { describePodRelistContract } from './pod-relist-contract.js';
export type { PodRelistHarness } from './pod-relist-contract.js';
export { ScriptedPodRelist } from './scripted-pod-relist.js';
