import { describe, expect, it } from '@jest/globals';
import type { Logger } from '@podwright/logging';
import { describeCertRotationContract } from '@podwright/cert-rotation-interface/contract';
import { createDefaultCertRotation } from './default-cert-rotation.js';

const silent: Logger = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
  enabled: () => false,
  with: () => silent,
};

describeCertRotationContract('DefaultCertRotation', async () => ({
  certRotation: createDefaultCertRotation({ logger: silent }),
}));

describe('DefaultCertRotation', () => {
  it('names the option that is out of range', () => {
    expect(() => createDefaultCertRotation({ logger: silent }, { timeoutMs: -1 })).toThrow('timeoutMs');
  });

  it('does its work', () => {
    throw new Error('not written yet: the specs of DefaultCertRotation');
  });
});
