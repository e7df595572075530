export type { EventedPlegEnvironment, EventedPlegRoles } from './contract-pleg.js';
export { describeEventedPlegContract } from './evented-pleg-contract.js';
export { ScriptedContainerEvents } from './scripted-container-events.js';
