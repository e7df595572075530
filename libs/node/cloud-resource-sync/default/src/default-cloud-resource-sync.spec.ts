import { describe, expect, it } from '@jest/globals';
import type { Logger } from '@podwright/logging';
import { describeCloudResourceSyncContract } from '@podwright/cloud-resource-sync-interface/contract';
import { createDefaultCloudResourceSync } from './default-cloud-resource-sync.js';

const silent: Logger = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
  enabled: () => false,
  with: () => silent,
};

describeCloudResourceSyncContract('DefaultCloudResourceSync', async () => ({
  cloudResourceSync: createDefaultCloudResourceSync({ logger: silent }),
}));

describe('DefaultCloudResourceSync', () => {
  it('names the option that is out of range', () => {
    expect(() => createDefaultCloudResourceSync({ logger: silent }, { timeoutMs: -1 })).toThrow('timeoutMs');
  });

  it('does its work', () => {
    throw new Error('not written yet: the specs of DefaultCloudResourceSync');
  });
});
