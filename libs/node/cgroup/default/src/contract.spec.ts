import {
  describeCgroupManagerContract,
  describePodCgroupResourcesContract,
} from '@podwright/cgroup-interface/contract';
import { contractHarness } from './fixtures/contract-harness.js';

const create = contractHarness();

for (const version of [1, 2] as const) {
  for (const cgroupDriver of ['cgroupfs', 'systemd'] as const) {
    const cgroupRoot = (version === 1) === (cgroupDriver === 'cgroupfs') ? '/' : '/some-node/part';
    const name = `KubeCgroupManager (v${version}, ${cgroupDriver}, root ${cgroupRoot})`;
    describeCgroupManagerContract(name, () => create({ version, cgroupDriver, cgroupRoot }));
    describePodCgroupResourcesContract(name, () => create({ version, cgroupDriver, cgroupRoot }));
  }
}
