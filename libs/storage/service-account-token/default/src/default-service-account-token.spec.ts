import { describe, expect, it } from '@jest/globals';
import type { Logger } from '@podwright/logging';
import { describeServiceAccountTokenContract } from '@podwright/service-account-token-interface/contract';
import { createDefaultServiceAccountToken } from './default-service-account-token.js';

const silent: Logger = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
  enabled: () => false,
  with: () => silent,
};

describeServiceAccountTokenContract('DefaultServiceAccountToken', async () => ({
  serviceAccountToken: createDefaultServiceAccountToken({ logger: silent }),
}));

describe('DefaultServiceAccountToken', () => {
  it('names the option that is out of range', () => {
    expect(() => createDefaultServiceAccountToken({ logger: silent }, { timeoutMs: -1 })).toThrow('timeoutMs');
  });

  it('does its work', () => {
    throw new Error('not written yet: the specs of DefaultServiceAccountToken');
  });
});
