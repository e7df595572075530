import { describe } from '@jest/globals';
import { describeCriContract } from '@podwright/cri-client-interface/contract';
import {
  capabilities,
  createContractHarness,
  createContractHarnessWithoutEvents,
} from './fixtures/contract-harness.js';

describe('the simulated runtime', () => {
  describeCriContract('simulated', { capabilities, create: createContractHarness });
  describeCriContract('simulated without events', {
    capabilities: { ...capabilities, containerEvents: false },
    create: createContractHarnessWithoutEvents,
  });
});
