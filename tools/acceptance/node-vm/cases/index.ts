import type { GuestCase } from '../guest-case.js';
import { cgroupCases, crashCases } from './cgroup-cases.js';
import { clusterCases, secondClusterCases } from './cluster-cases.js';
import { debianPackageCases } from './debian-package-cases.js';
import { localPodCases, localPodsBackCases } from './local-pod-cases.js';
import { diskOfKubeletCases, localVolumeCases } from './local-volume-cases.js';
import { memoryCases, singleProcessCases } from './memory-cases.js';
import { diskCases, networkVolumeCases } from './network-volume-cases.js';
import { afterRebootCases, shutdownCases } from './reboot-cases.js';
import { rootlessCases } from './rootless-cases.js';
import { watchdogCases } from './watchdog-cases.js';

/** Cases of one boot run in this order. The tests on the host import this list too, so importing it must do nothing. */
export const guestCases: readonly GuestCase[] = [
  ...diskOfKubeletCases,
  ...cgroupCases,
  ...diskCases,
  ...crashCases,
  ...clusterCases,
  ...memoryCases,
  ...networkVolumeCases,
  ...localVolumeCases,
  ...localPodCases,
  ...shutdownCases,
  ...localPodsBackCases,
  ...afterRebootCases,
  ...singleProcessCases,
  ...secondClusterCases,
  ...rootlessCases,
  ...watchdogCases,
  ...debianPackageCases,
];
