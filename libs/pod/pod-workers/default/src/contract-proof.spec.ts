import { describeContractProof } from '@podwright/contract';
import { describePodWorkersContract, type ScriptedEnvironment } from '@podwright/pod-workers-interface/contract';
import { cutOffTerminationBreakages } from './fixtures/cut-off-termination-breakages.js';
import { killBreakages } from './fixtures/kill-breakages.js';
import { knownPodsBreakages } from './fixtures/known-pods-breakages.js';
import { lifecycleBreakages } from './fixtures/lifecycle-breakages.js';
import { runtimeViewBreakages } from './fixtures/runtime-view-breakages.js';
import { create } from './fixtures/workers-harness.js';

describeContractProof(
  'PodWorkers',
  (make) => describePodWorkersContract('broken PodWorkers', make),
  async (environment: ScriptedEnvironment) => create(environment),
  {
    ...lifecycleBreakages,
    ...killBreakages,
    ...runtimeViewBreakages,
    ...cutOffTerminationBreakages,
    ...knownPodsBreakages,
  },
);
