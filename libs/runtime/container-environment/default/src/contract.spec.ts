import { describeContainerEnvironmentContract } from '@podwright/container-environment-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';

describeContainerEnvironmentContract('LocalContainerEnvironment', createContractHarness);
