import { describeAssemblyContract } from '@podwright/assembly-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';

describeAssemblyContract('the default assembler', createContractHarness);
