import { describe } from '@jest/globals';
import {
  describeContainerRuntimeContract,
  describeRuntimeStateContract,
} from '@podwright/container-runtime-interface/contract';
import { createContractHarness, createStateHarness } from './fixtures/contract-harness.js';

describe('on the simulated runtime', () => {
  describeContainerRuntimeContract('the default container runtime', createContractHarness);
  describeRuntimeStateContract('the polled runtime state', createStateHarness);
});
