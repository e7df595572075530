import { describe, expect, it } from '@jest/globals';
import { describeConfigMapManagerContract } from '@podwright/configmap-interface/contract';
import { createStandaloneConfigMapManager } from './standalone-configmap-manager.js';

describeConfigMapManagerContract('StandaloneConfigMapManager', async () => ({
  manager: createStandaloneConfigMapManager(),
}));

describe('StandaloneConfigMapManager', () => {
  it('says what is missing and how to get it', async () => {
    await expect(createStandaloneConfigMapManager().get('default', 'settings')).rejects.toThrow(
      'configmap "default/settings" cannot be read: the kubelet runs without an API server (start it with --kubeconfig)',
    );
  });
});
