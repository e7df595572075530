import { describe, expect, it } from '@jest/globals';
import { labSupport } from '@podwright/lab';
import { unexpectedCalls } from './api-calls-table.js';
import { describeClusterCases } from './cluster-cases.js';
import { MemoryClusterServer } from './cluster-server.js';
import { describeRenewalCases, shortSigners } from './pod-certificate-cases.js';
import { useLab } from './test-lab.js';

const support = labSupport();
const onLab = support.ok ? describe : describe.skip;

onLab(`a node of a cluster${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab();
  let server: MemoryClusterServer | undefined;
  const on = describeClusterCases(bed, async () => {
    server = await MemoryClusterServer.start({ podSigners: shortSigners });
    return server;
  });
  describeRenewalCases(on);

  it('has asked for nothing that is not documented, and for nothing that is forbidden', () => {
    const calls = unexpectedCalls(server?.requests({ user: 'system:node:member' }) ?? []);
    expect(calls).toEqual({ undocumented: [], forbidden: [] });
  });
});
