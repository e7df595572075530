import { describeLogRotationContract } from '@podwright/log-rotation-interface/contract';
import { contractHarness } from './fixtures/contract-harness.js';

describeLogRotationContract('GzipLogRotation', contractHarness());
