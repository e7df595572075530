import { describeNodeShutdownContract } from '@podwright/node-shutdown-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';
import { createFakeLogind } from './fixtures/fake-logind.js';

describeNodeShutdownContract('GracefulNodeShutdown', async () => createContractHarness(await createFakeLogind(30_000)));
