import { describeImageGcContract } from '@podwright/image-gc-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';

describeImageGcContract('ThresholdImageGc', createContractHarness);
