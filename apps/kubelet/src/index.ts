export { runCommand } from './commands.js';
export { partlyEffectiveFields, readingFields, steeringFields } from './effective-fields.js';
export { modulesFor } from './kubelet-setup.js';
export { kubeletModules } from './modules.js';
export { readNodeFacts } from './node-facts.js';
export type { NodeFacts, NodeFactsOptions } from './node-facts.js';
export { assembleSimulatedKubelet } from './simulation/simulated-kubelet.js';
export type { SimulatedKubeletOptions } from './simulation/simulated-kubelet.js';
export type { MemoryPodSource } from './simulation/memory-pod-source.js';
