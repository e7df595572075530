import type { GuestCase } from '../guest-case.js';
import { cgroupCases } from './cgroup-cases.js';
import { clusterCases } from './cluster-cases.js';
import { memoryCases } from './memory-cases.js';
import { afterRebootCases, shutdownCases } from './reboot-cases.js';

/** Cases of one boot run in this order. The tests on the host import this list too, so importing it must do nothing. */
export const guestCases: readonly GuestCase[] = [
  ...cgroupCases,
  ...clusterCases,
  ...memoryCases,
  ...shutdownCases,
  ...afterRebootCases,
];
