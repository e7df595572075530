import { apiServerAway } from './cases/api-server-case.js';
import { diskCases } from './cases/disk-cases.js';
import { killCsiDriver, killDevicePlugin } from './cases/driver-cases.js';
import { killContainerd, killKubelet, killShim, stopContainerd } from './cases/kill-cases.js';
import { networkCases } from './cases/network-cases.js';
import { execProbes } from './cases/probe-case.js';
import { runtimeHangCases } from './cases/runtime-hang-cases.js';
import { soak } from './cases/soak-case.js';
import type { ChaosCase } from './chaos-case.js';

/** All cases, in the order in which they run. */
export const chaosCases: readonly ChaosCase[] = [
  ...[killKubelet, killContainerd, killShim, killCsiDriver, killDevicePlugin, stopContainerd],
  ...runtimeHangCases,
  ...networkCases,
  ...diskCases,
  ...[apiServerAway, execProbes, soak],
];
