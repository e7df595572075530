import { describeStreamingContract } from '@podwright/streaming-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';

describeStreamingContract('RuntimeStreaming', createContractHarness);
