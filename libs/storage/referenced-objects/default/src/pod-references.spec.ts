import { describe, expect, it } from '@jest/globals';
import type { EnvFromSource, EnvVar, Pod, Volume } from '@podwright/kube-types';
import { podConfigMapNames, podSecretNames } from './pod-references.js';

const pod = (spec: Partial<Pod['spec']>): Pod => ({
  metadata: { name: 'web', namespace: 'prod', uid: 'u1' },
  spec: { containers: [], ...spec },
});
const env = (name: string): EnvVar[] => [
  { name: 'a', valueFrom: { secretKeyRef: { name, key: 'k' } } },
  { name: 'b', valueFrom: { configMapKeyRef: { name, key: 'k' } } },
  { name: 'c', value: 'plain' },
];
const envFrom = (name: string): EnvFromSource[] => [{ secretRef: { name } }, { configMapRef: { name } }];
const volume = (source: Partial<Volume>): Partial<Pod['spec']> => ({ volumes: [{ name: 'v', ...source }] });
const secretRef = { name: 's' };

describe('names of secrets and config maps of a pod', () => {
  it.each<[string, Partial<Pod['spec']>, string[], string[]]>([
    ['nothing', {}, [], []],
    ['pull secrets, once each, with a name', { imagePullSecrets: [{ name: 's' }, { name: 's' }, {}] }, ['s'], []],
    ['env', { containers: [{ name: 'c', env: env('x') }] }, ['x'], ['x']],
    ['envFrom', { containers: [{ name: 'c', envFrom: envFrom('x') }] }, ['x'], ['x']],
    ['init containers', { initContainers: [{ name: 'c', env: env('x') }] }, ['x'], ['x']],
    ['ephemeral containers', { ephemeralContainers: [{ name: 'c', envFrom: envFrom('x') }] }, ['x'], ['x']],
    ['secret volume', volume({ secret: { secretName: 's' } }), ['s'], []],
    ['configMap volume', volume({ configMap: { name: 'm' } }), [], ['m']],
    [
      'projected volume',
      volume({ projected: { sources: [{ secret: secretRef }, { configMap: { name: 'm' } }, { downwardAPI: {} }] } }),
      ['s'],
      ['m'],
    ],
    ['azureFile', volume({ azureFile: { secretName: 's', shareName: 'x' } }), ['s'], []],
    ['cephfs', volume({ cephfs: { monitors: [], secretRef } }), ['s'], []],
    ['cinder', volume({ cinder: { volumeID: 'x', secretRef } }), ['s'], []],
    ['flexVolume', volume({ flexVolume: { driver: 'x', secretRef } }), ['s'], []],
    ['iscsi', volume({ iscsi: { targetPortal: 'x', iqn: 'x', lun: 0, secretRef } }), ['s'], []],
    ['rbd', volume({ rbd: { monitors: [], image: 'x', secretRef } }), ['s'], []],
    ['scaleIO', volume({ scaleIO: { gateway: 'x', system: 'x', secretRef } }), ['s'], []],
    ['storageos', volume({ storageos: { secretRef } }), ['s'], []],
    ['csi', volume({ csi: { driver: 'x', nodePublishSecretRef: secretRef } }), ['s'], []],
  ])('%s', (_what, spec, ofSecrets, ofConfigMaps) => {
    expect([...podSecretNames(pod(spec))]).toEqual(ofSecrets);
    expect([...podConfigMapNames(pod(spec))]).toEqual(ofConfigMaps);
  });
});
