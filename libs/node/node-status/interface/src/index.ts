export { NODE_SOURCE } from './node-source.js';
export type { NodeSource } from './node-source.js';
export {
  declaredFeatureGates,
  declaredFeatures,
  requiredFeatures,
  requiredFeaturesOfUpdate,
} from './declared-features.js';
export type { DeclaredFeatureFacts } from './declared-features.js';
export { NODE_PRESSURE, NODE_STATUS_REPORTER } from './node-status-reporter.js';
export type { NodePressure, NodeStatusReporter } from './node-status-reporter.js';
