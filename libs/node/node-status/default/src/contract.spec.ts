import {
  describeNodeSourceContract,
  describeNodeStatusReporterContract,
  describeRegisteredNodeContract,
} from '@podwright/node-status-interface/contract';
import { contractHarnesses } from './fixtures/contract-harness.js';

const { source, registered, reporter } = contractHarnesses();

describeNodeSourceContract('ApiNode', source);
describeRegisteredNodeContract('ApiNode', registered);
describeNodeStatusReporterContract('ApiNodeStatusReporter', reporter);
