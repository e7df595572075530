import type { GuestCase } from '../guest-case.js';
import { cgroupCases } from './cgroup-cases.js';
import { clusterCases } from './cluster-cases.js';
import { memoryCases } from './memory-cases.js';
import { afterRebootCases, shutdownCases } from './reboot-cases.js';

/** Those of one boot run in their order here. This list is read by the tests on the host too: nothing may happen at import. */
export const guestCases: readonly GuestCase[] = [
  ...cgroupCases,
  ...clusterCases,
  ...memoryCases,
  ...shutdownCases,
  ...afterRebootCases,
];
