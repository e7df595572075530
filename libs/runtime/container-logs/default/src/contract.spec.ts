import { describeContainerLogsContract } from '@podwright/container-logs-interface/contract';
import { LogBench } from './fixtures/log-bench.js';

describeContainerLogsContract('FileContainerLogs', () => LogBench.create());
