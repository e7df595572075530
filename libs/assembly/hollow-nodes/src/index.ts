export { decodeBehaviour, defaultBehaviour } from './behaviour/decode-behaviour.js';
export type {
  ContainerMatch,
  ContainerRule,
  Crashes,
  Failures,
  HollowBehaviour,
  ImageRule,
  NodeFaultKind,
  NodeFaultRule,
  NodeShape,
  StartFailures,
} from './behaviour/hollow-behaviour.js';
export type { Spread } from './behaviour/spread.js';
export { asNode } from './fleet/as-node.js';
export { startHollowNodes } from './fleet/start-hollow-nodes.js';
export type { HollowNodes } from './fleet/hollow-nodes.js';
export { checkNamePrefix, checkNodeAddress } from './fleet/hollow-nodes-options.js';
export type { HollowNodesOptions, HollowServers } from './fleet/hollow-nodes-options.js';
export type { HollowNode } from './node/hollow-node.js';
