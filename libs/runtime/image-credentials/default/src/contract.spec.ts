import { describeImageCredentialsContract } from '@podwright/image-credentials-interface/contract';
import { contractHarness } from './fixtures/contract-harness.js';

describeImageCredentialsContract('KeyringImageCredentials', contractHarness());
