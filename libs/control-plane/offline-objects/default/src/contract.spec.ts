import { describeOfflineObjectsContract } from '@podwright/offline-objects-interface/contract';
import { createHarness } from './fixtures/contract-harness.js';

describeOfflineObjectsContract('FileOfflineObjects', createHarness);
