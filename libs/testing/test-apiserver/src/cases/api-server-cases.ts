import { describe } from '@jest/globals';
import type { CaseServer } from './case-server.js';
import { describeClientCases } from './client-cases.js';
import { describeNodeCases } from './node-cases.js';
import { describeObjectCases } from './object-cases.js';
import { describePodCases } from './pod-cases.js';

/** What an API server does, as far as a kubelet and its tests rely on it; the same for every server. */
export function describeApiServerCases(name: string, create: () => Promise<CaseServer>): void {
  describe(name, () => {
    describeObjectCases(create);
    describePodCases(create);
    describeNodeCases(create);
    describeClientCases(create);
  });
}
