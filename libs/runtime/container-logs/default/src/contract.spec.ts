import { describeContainerLogsContract } from '@podwright/container-logs-interface/contract';
import { LogHarness } from './fixtures/log-harness.js';

describeContainerLogsContract('FileContainerLogs', () => LogHarness.create());
