export { runCommand } from './commands.js';
export { kubeletModules } from './modules.js';
export { readNodeFacts } from './node-facts.js';
export type { NodeFacts, NodeFactsOptions } from './node-facts.js';
