import { describeEvictionManagerContract } from '@podwright/eviction-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';

describeEvictionManagerContract('ThresholdEvictionManager', createContractHarness);
