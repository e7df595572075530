import { afterEach, beforeEach } from '@jest/globals';
import { rm } from 'node:fs/promises';
import {
  describeAllocationManagerContract,
  describeResizeConditionsContract,
  describeResourceStateContract,
} from '@podwright/allocation-interface/contract';
import { VirtualClock } from '@podwright/time';
import { createAllocationState } from './create-allocation.js';
import { breakCheckpoint, createBench, temporaryDirectory } from './fixtures/bench.js';

let rootDir = '';
beforeEach(async () => {
  rootDir = await temporaryDirectory();
});
afterEach(() => rm(rootDir, { recursive: true, force: true }));

const state = () => createAllocationState({ clock: new VirtualClock() }, { rootDir });

describeResourceStateContract('The checkpointed state', async () => ({
  createAllocated: () => state().allocated,
  createActuated: () => state().actuated,
  breakDisk: (broken) => breakCheckpoint(rootDir, 'allocated_pods_state', broken),
}));

describeResizeConditionsContract('MemoryResizeConditions', () => {
  const clock = new VirtualClock();
  return {
    conditions: createAllocationState({ clock }, { rootDir }).conditions,
    advance: (ms) => clock.advance(ms),
  };
});

describeAllocationManagerContract('QueueingAllocationManager', () => createBench({ rootDir }));
