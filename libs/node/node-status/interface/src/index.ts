export { NODE_SOURCE } from './node-source.js';
export type { NodeSource } from './node-source.js';
export { nodeHostIps, unknownHostIp } from './node-host-ips.js';
export {
  declaredFeatureGates,
  declaredFeatures,
  requiredFeatures,
  requiredFeaturesOfUpdate,
} from './declared-features.js';
export type { DeclaredFeatureFacts } from './declared-features.js';
export { NODE_PRESSURE, NODE_STATUS_REPORTER } from './node-status-reporter.js';
export type { NodePressure, NodeStatusReporter } from './node-status-reporter.js';
export { REGISTERED_NODE } from './registered-node.js';
export type { RegisteredNode } from './registered-node.js';
export { DEVICE_RESOURCES } from './device-resources.js';
export type { DeviceResources } from './device-resources.js';
export { nodeCallAdvice } from './node-call-advice.js';
export type { NodeCall } from './node-call-advice.js';
