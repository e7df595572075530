import { describeImageManagerContract } from '@podwright/image-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';

describeImageManagerContract('PullingImageManager', createContractHarness);
