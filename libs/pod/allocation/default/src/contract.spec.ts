import { afterEach, beforeEach } from '@jest/globals';
import { rm } from 'node:fs/promises';
import {
  describeAllocationManagerContract,
  describeResizeConditionsContract,
  describeResourceStateContract,
} from '@podwright/allocation-interface/contract';
import {
  createAllocationHarness,
  createConditionsHarness,
  createStateHarness,
  temporaryDirectory,
} from './fixtures/allocation-harness.js';

let rootDir = '';
beforeEach(async () => {
  rootDir = await temporaryDirectory();
});
afterEach(() => rm(rootDir, { recursive: true, force: true }));

describeResourceStateContract('The checkpointed state', async () => createStateHarness(rootDir));
describeResizeConditionsContract('MemoryResizeConditions', createConditionsHarness);
describeAllocationManagerContract('QueueingAllocationManager', () => createAllocationHarness({ rootDir }));
