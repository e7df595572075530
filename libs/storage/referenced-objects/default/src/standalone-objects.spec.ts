import { describe, expect, it } from '@jest/globals';
import { describeStandaloneObjectsContract } from '@podwright/referenced-objects-interface/contract';
import { createStandaloneConfigMapManager, createStandaloneSecretManager } from './standalone-objects.module.js';

describeStandaloneObjectsContract('StandaloneObjects of secrets', async () => ({
  manager: createStandaloneSecretManager(),
}));
describeStandaloneObjectsContract('StandaloneObjects of config maps', async () => ({
  manager: createStandaloneConfigMapManager(),
}));

describe('StandaloneObjects', () => {
  it.each([
    ['secret', createStandaloneSecretManager()],
    ['configmap', createStandaloneConfigMapManager()],
  ])('says what is missing and how to get it: %s', async (noun, manager) => {
    await expect(manager.get('default', 'key')).rejects.toThrow(
      `${noun} "default/key" cannot be read: the kubelet runs without an API server (start it with --kubeconfig)`,
    );
  });
});
