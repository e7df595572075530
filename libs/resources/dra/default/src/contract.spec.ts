import { afterEach } from '@jest/globals';
import { describeDraManagerContract } from '@podwright/dra-interface/contract';
import { cleanHarnesses, createDraHarness } from './fixtures/dra-harness.js';

afterEach(cleanHarnesses);

describeDraManagerContract('ClaimDraManager', () => createDraHarness());
