import { afterAll } from '@jest/globals';
import { describeConsoleContract } from '@podwright/console-interface/contract';
import { createHarness, removeFolders } from './fixtures/contract-harness.js';

afterAll(removeFolders);
describeConsoleContract('NodeConsole', createHarness);
