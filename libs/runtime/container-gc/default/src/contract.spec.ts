import { describeContainerGcContract } from '@podwright/container-gc-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';

describeContainerGcContract('RuntimeContainerGc', createContractHarness);
