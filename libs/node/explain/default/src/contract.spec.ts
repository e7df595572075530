import { describeExplainerContract } from '@podwright/explain-interface/contract';
import { createHarness } from './fixtures/contract-harness.js';

describeExplainerContract('JournalExplainer', createHarness);
