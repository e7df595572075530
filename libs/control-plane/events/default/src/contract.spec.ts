import { describeEventRecorderContract, describeRecentEventsContract } from '@podwright/events-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';

describeEventRecorderContract('LogEventRecorder', createContractHarness);
describeRecentEventsContract('LogEventRecorder', createContractHarness);
