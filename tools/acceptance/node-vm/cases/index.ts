import type { GuestCase } from '../guest-case.js';
import { cgroupCases } from './cgroup-cases.js';
import { clusterCases } from './cluster-cases.js';
import { memoryCases } from './memory-cases.js';
import { afterRebootCases, shutdownCases } from './reboot-cases.js';

const settled: readonly GuestCase[] = [...cgroupCases, ...memoryCases, ...shutdownCases, ...afterRebootCases];
const all: readonly GuestCase[] = [...settled, ...clusterCases];

/**
 * Those of one boot run in their order here. `PODWRIGHT_NODE_VM_CASES=all`, read when the cases are bundled, adds those that are
 * not relied on yet: swap and eviction. This list is read by the tests on the host too: nothing may happen at import.
 */
export const guestCases: readonly GuestCase[] = process.env.PODWRIGHT_NODE_VM_CASES === 'all' ? all : settled;
