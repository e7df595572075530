export { goArchitecture, meminfoBytes, readMachineFacts } from './machine-facts.js';
export type { MachineFacts, MachinePlaces } from './machine-facts.js';
