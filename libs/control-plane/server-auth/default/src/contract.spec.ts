import { describeServerAuthContract } from '@podwright/server-auth-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';

describeServerAuthContract('DelegatingServerAuth', createContractHarness);
