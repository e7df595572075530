import { afterEach, beforeEach } from '@jest/globals';
import { describeNodeStatusReporterContract } from '@podwright/node-status-interface/contract';
import { ReporterBench } from '../fixtures/reporter-bench.js';

let bench: ReporterBench;
beforeEach(async () => {
  bench = await ReporterBench.make();
});
afterEach(() => bench.tearDown());

describeNodeStatusReporterContract('ApiNodeStatusReporter', async () => ({
  reporter: await bench.reporter(),
  nodeName: 'n1',
  node: () => bench.node(),
  setProblem: (problem) => (bench.runtimeErrors = problem === undefined ? [] : [problem]),
  setReachable: (reachable) => (bench.cable.reachable = reachable),
  advance: (ms) => bench.clock.advance(ms),
}));
