import { describe, jest } from '@jest/globals';
import { labSupport } from '@podwright/lab';
import { describeClusterCases } from './cluster-cases.js';
import { MemoryClusterServer } from './cluster-server.js';
import { useLab } from './test-lab.js';

jest.setTimeout(60_000);

const support = labSupport();
const onLab = support.ok ? describe : describe.skip;

onLab(`a node of a cluster${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab();
  describeClusterCases(bed, () => MemoryClusterServer.start());
});
