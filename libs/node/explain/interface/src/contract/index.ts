export { describeExplainerContract } from './explainer-contract.js';
export type { ExplainerHarness } from './explainer-contract.js';
