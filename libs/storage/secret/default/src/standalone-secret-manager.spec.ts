import { describe, expect, it } from '@jest/globals';
import { describeSecretManagerContract } from '@podwright/secret-interface/contract';
import { createStandaloneSecretManager } from './standalone-secret-manager.js';

describeSecretManagerContract('StandaloneSecretManager', async () => ({ manager: createStandaloneSecretManager() }));

describe('StandaloneSecretManager', () => {
  it('says what is missing and how to get it', async () => {
    await expect(createStandaloneSecretManager().get('default', 'key')).rejects.toThrow(
      'secret "default/key" cannot be read: the kubelet runs without an API server (start it with --kubeconfig)',
    );
  });
});
