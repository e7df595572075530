import { afterEach, describe } from '@podwright/contract';
import { ContractWorkers, type PodWorkersHarness } from './contract-workers.js';
import { cutOffTerminationCases } from './cut-off-termination-cases.js';
import { killCases } from './kill-cases.js';
import { knownPodsCases } from './known-pods-cases.js';
import { podLifecycleCases } from './pod-lifecycle-cases.js';
import { requeueCases } from './requeue-cases.js';
import { runtimeViewCases } from './runtime-view-cases.js';
import type { ScriptedEnvironment } from './scripted-environment.js';
import { staticPodCases } from './static-pod-cases.js';

/** Every implementation of PodWorkers passes this suite; `create` gives a new instance per case, built on `environment`. */
export function describePodWorkersContract(
  name: string,
  create: (environment: ScriptedEnvironment) => Promise<PodWorkersHarness>,
): void {
  describe(`${name} as PodWorkers`, () => {
    const workers = new ContractWorkers(create);
    afterEach(() => workers.stopAll());

    podLifecycleCases(workers.setUp);
    killCases(workers.setUp);
    runtimeViewCases(workers.setUp);
    cutOffTerminationCases(workers.setUp);
    knownPodsCases(workers.setUp);
    staticPodCases(workers.setUp);
    requeueCases(workers.setUp);
  });
}
