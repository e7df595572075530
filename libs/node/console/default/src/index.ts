export { consoleConfig } from './console-config.js';
export type { ConsoleConfig } from './console-config.js';
export { consoleNeeds } from './console-needs.js';
export type { ConsoleNeeds } from './console-needs.js';
export { consoleModule, createNodeConsole } from './console.module.js';
export { NodeConsole } from './node-console.js';
