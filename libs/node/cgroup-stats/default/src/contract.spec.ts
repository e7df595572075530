import { describeCgroupStatsContract } from '@podwright/cgroup-stats-interface/contract';
import { contractHarness } from './fixtures/contract-harness.js';

for (const version of [1, 2] as const) {
  describeCgroupStatsContract(`OnDemandCgroupStats, cgroup v${version}`, contractHarness(version));
}
