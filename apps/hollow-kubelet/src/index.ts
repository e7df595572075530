export { runHollowKubelet } from './run-hollow-kubelet.js';
export type { HollowIo } from './run-hollow-kubelet.js';
