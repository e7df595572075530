import { describe, expect, it } from '@jest/globals';
import type { Node, Pod } from '@podwright/kube-types';
import { matchesNodeAffinity } from './node-affinity.js';

const node: Node = {
  metadata: { name: 'n1', labels: { zone: 'a', disk: 'ssd', cores: '8', odd: 'x8', big: '9223372036854775807' } },
};
interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}
const affine = (...nodeSelectorTerms: readonly Record<string, readonly Requirement[]>[]): Pod => ({
  metadata: {},
  spec: {
    containers: [],
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
  },
});
const labels = (key: string, operator: string, ...values: readonly string[]) => ({
  matchExpressions: [{ key, operator, ...(values.length > 0 && { values }) }],
});
const fields = (key: string, operator: string, ...values: readonly string[]) => ({
  matchFields: [{ key, operator, values }],
});

describe('node affinity', () => {
  it.each<[string, Pod, boolean]>([
    ['In', affine(labels('zone', 'In', 'b', 'a')), true],
    ['In, other value', affine(labels('zone', 'In', 'b')), false],
    ['In, no label', affine(labels('rack', 'In', 'b')), false],
    ['In, no values', affine(labels('zone', 'In')), false],
    ['NotIn', affine(labels('zone', 'NotIn', 'b')), true],
    ['NotIn, listed', affine(labels('zone', 'NotIn', 'a')), false],
    ['NotIn, no label', affine(labels('rack', 'NotIn', 'a')), true],
    ['NotIn, no values', affine(labels('zone', 'NotIn')), false],
    ['Exists', affine(labels('zone', 'Exists')), true],
    ['Exists, no label', affine(labels('rack', 'Exists')), false],
    ['Exists, with values', affine(labels('zone', 'Exists', 'a')), false],
    ['DoesNotExist', affine(labels('rack', 'DoesNotExist')), true],
    ['DoesNotExist, there', affine(labels('zone', 'DoesNotExist')), false],
    ['DoesNotExist of what every object inherits', affine(labels('constructor', 'DoesNotExist')), true],
    ['Gt', affine(labels('cores', 'Gt', '7')), true],
    ['Gt, equal', affine(labels('cores', 'Gt', '8')), false],
    ['Lt', affine(labels('cores', 'Lt', '9')), true],
    ['Lt, equal', affine(labels('cores', 'Lt', '8')), false],
    ['Gt, no number in the label', affine(labels('odd', 'Gt', '1')), false],
    ['Gt, no number in the term', affine(labels('cores', 'Gt', 'x')), false],
    ['Gt, two numbers', affine(labels('cores', 'Gt', '1', '2')), false],
    ['Gt, no label', affine(labels('rack', 'Gt', '1')), false],
    ['Gt, 64 bits', affine(labels('big', 'Gt', '9223372036854775806')), true],
    ['Gt, more than 64 bits', affine(labels('big', 'Lt', '9223372036854775808')), false],
    ['unknown operator', affine(labels('zone', 'Like', 'a')), false],
    ['a key that is none', affine(labels('not a key', 'DoesNotExist')), false],
    ['a value that is none', affine(labels('zone', 'NotIn', 'not a value')), false],
    ['the name', affine(fields('metadata.name', 'In', 'n1')), true],
    ['another name', affine(fields('metadata.name', 'In', 'n2')), false],
    ['not another name', affine(fields('metadata.name', 'NotIn', 'n2')), true],
    ['two names', affine(fields('metadata.name', 'In', 'n1', 'n2')), false],
    ['name, other operator', affine(fields('metadata.name', 'Exists')), false],
    ['another field', affine(fields('spec.x', 'In', 'a')), false],
    [
      'labels and fields together',
      affine({ ...labels('zone', 'In', 'a'), ...fields('metadata.name', 'In', 'n2') }),
      false,
    ],
    [
      'all expressions of a term',
      affine({
        matchExpressions: [...labels('zone', 'Exists').matchExpressions, ...labels('rack', 'Exists').matchExpressions],
      }),
      false,
    ],
    ['one term of several', affine(labels('rack', 'Exists'), labels('zone', 'Exists')), true],
    ['a wrong term beside a good one', affine(labels('zone', 'Like'), labels('zone', 'Exists')), true],
    ['an empty term', affine({}), false],
    ['no terms', affine(), false],
    ['no affinity', { metadata: {}, spec: { containers: [] } }, true],
    ['a selector', { metadata: {}, spec: { containers: [], nodeSelector: { zone: 'a', disk: 'ssd' } } }, true],
    [
      'a selector, one wrong',
      { metadata: {}, spec: { containers: [], nodeSelector: { zone: 'a', disk: 'hdd' } } },
      false,
    ],
  ])('%s', (_name, pod, expected) => {
    expect(matchesNodeAffinity(pod, node)).toBe(expected);
  });

  it('asks for selector and affinity', () => {
    const pod = affine(labels('zone', 'Exists'));
    expect(matchesNodeAffinity({ ...pod, spec: { ...pod.spec, nodeSelector: { zone: 'b' } } }, node)).toBe(false);
  });
});
