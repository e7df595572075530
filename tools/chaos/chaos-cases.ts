import { killContainerd, killKubelet } from './cases/kill-cases.js';
import type { ChaosCase } from './chaos-case.js';

/** All cases, in the order in which they run. */
export const chaosCases: readonly ChaosCase[] = [killKubelet, killContainerd];
