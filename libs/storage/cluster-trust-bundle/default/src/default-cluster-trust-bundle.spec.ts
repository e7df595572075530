import { describe, expect, it } from '@jest/globals';
import type { Logger } from '@podwright/logging';
import { describeClusterTrustBundleContract } from '@podwright/cluster-trust-bundle-interface/contract';
import { createDefaultClusterTrustBundle } from './default-cluster-trust-bundle.js';

const silent: Logger = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
  enabled: () => false,
  with: () => silent,
};

describeClusterTrustBundleContract('DefaultClusterTrustBundle', async () => ({
  clusterTrustBundle: createDefaultClusterTrustBundle({ logger: silent }),
}));

describe('DefaultClusterTrustBundle', () => {
  it('names the option that is out of range', () => {
    expect(() => createDefaultClusterTrustBundle({ logger: silent }, { timeoutMs: -1 })).toThrow('timeoutMs');
  });

  it('does its work', () => {
    throw new Error('not written yet: the specs of DefaultClusterTrustBundle');
  });
});
