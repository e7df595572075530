import { describe } from '@jest/globals';
import { labSupport } from '@podwright/lab';
import { MemoryClusterServer } from './cluster-server.js';
import { describeKubectlCases } from './kubectl-cases.js';
import { useLab } from './test-lab.js';

const support = labSupport();
const onLab = support.ok ? describe : describe.skip;

onLab(`containers through kubectl${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  describeKubectlCases(useLab(), () => MemoryClusterServer.start());
});
