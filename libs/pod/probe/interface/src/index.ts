export { PROBE_MANAGER } from './probe-manager.js';
export type { ProbeManager } from './probe-manager.js';
export { PROBE_RESULTS } from './probe-results.js';
export type { ProbeKind, ProbeResult, ProbeResults, ProbeUpdate } from './probe-results.js';
export { PROBERS } from './probers.js';
export type { ProbeOutcome, Prober, Probers, ProbeTarget } from './probers.js';
