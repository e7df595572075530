export {
  defaultBootIdFile,
  defaultMachineIdFile,
  goArchitecture,
  meminfoBytes,
  readMachineFacts,
} from './machine-facts.js';
export type { MachineFacts, MachinePlaces } from './machine-facts.js';
export type { MachineCore, MachineTopology, NumaNode, UncoreCache } from './machine-topology.js';
export {
  cpuDifference,
  cpuIntersection,
  cpuSetOf,
  cpuSetsEqual,
  cpuUnion,
  formatCpuList,
  isCpuSubset,
} from './cpu-set.js';
export type { CpuSet } from './cpu-set.js';
export { runsInUserNamespace } from './user-namespace.js';
export { allCombinations, combinations } from './combinations.js';
export { readMachineTopology } from './read-machine-topology.js';
