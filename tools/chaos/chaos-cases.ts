import { killContainerd, killKubelet, killShim, stopContainerd } from './cases/kill-cases.js';
import { runtimeHangCases } from './cases/runtime-hang-cases.js';
import type { ChaosCase } from './chaos-case.js';

/** All cases, in the order in which they run. */
export const chaosCases: readonly ChaosCase[] = [
  ...[killKubelet, killContainerd, killShim, stopContainerd],
  ...runtimeHangCases,
];
