import { describe, expect, it } from '@jest/globals';
import type { PersistentVolume } from '@podwright/kube-types';
import { nodeAffinityProblem, supplementalGroup } from './persistent-volume.js';

describe('supplementalGroup', () => {
  it.each([
    ['1234', 1234],
    ['+7', 7],
    ['', undefined],
    ['0x10', undefined],
    ['12 ', undefined],
    ['group', undefined],
    ['99999999999999999999', undefined],
  ])('%j is %j', (gid, expected) => {
    expect(supplementalGroup({ metadata: { annotations: { 'pv.beta.kubernetes.io/gid': gid } } })).toBe(expected);
  });

  it('is optional', () => {
    expect(supplementalGroup({})).toBeUndefined();
  });
});

describe('nodeAffinityProblem', () => {
  type Required = NonNullable<NonNullable<NonNullable<PersistentVolume['spec']>['nodeAffinity']>['required']>;
  const bound = (...nodeSelectorTerms: Required['nodeSelectorTerms']): PersistentVolume => ({
    spec: { nodeAffinity: { required: { nodeSelectorTerms } } },
  });
  const zone = (...values: readonly string[]) => ({ matchExpressions: [{ key: 'zone', operator: 'In', values }] });

  it.each<[string, PersistentVolume, boolean]>([
    ['no affinity', {}, true],
    ['an affinity without requirements', { spec: { nodeAffinity: {} } }, true],
    ['a zone of the node', bound(zone('a', 'b')), true],
    ['one term of several', bound(zone('b'), zone('a')), true],
    ['another zone', bound(zone('b')), false],
    ['no terms', bound(), false],
    ['an empty term', bound({}), false],
  ])('%s', (_name, volume, isUsable) => {
    const problem = isUsable ? undefined : 'no matching NodeSelectorTerms';
    expect(nodeAffinityProblem(volume, { zone: 'a' })).toBe(problem);
  });
});
