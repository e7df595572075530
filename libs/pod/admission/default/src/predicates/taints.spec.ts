import { describe, expect, it } from '@jest/globals';
import type { Pod, Toleration } from '@podwright/kube-types';
import { tolerates, toleratesNode } from './taints.js';

const taint = (value?: string) => ({ key: 'k', effect: 'NoExecute', ...(value !== undefined && { value }) });

describe('tolerations', () => {
  it.each<[string, Toleration, ReturnType<typeof taint>, boolean]>([
    ['same key and value', { key: 'k', operator: 'Equal', value: 'v' }, taint('v'), true],
    ['Equal is the default', { key: 'k', value: 'v' }, taint('v'), true],
    ['no value on both sides', { key: 'k' }, taint(), true],
    ['other value', { key: 'k', value: 'w' }, taint('v'), false],
    ['other key', { key: 'l', operator: 'Exists' }, taint('v'), false],
    ['Exists', { key: 'k', operator: 'Exists' }, taint('v'), true],
    ['everything', { operator: 'Exists' }, taint('v'), true],
    ['same effect', { key: 'k', operator: 'Exists', effect: 'NoExecute' }, taint('v'), true],
    ['other effect', { key: 'k', operator: 'Exists', effect: 'NoSchedule' }, taint('v'), false],
    ['Gt', { key: 'k', operator: 'Gt', value: '5' }, taint('6'), true],
    ['Gt, equal', { key: 'k', operator: 'Gt', value: '5' }, taint('5'), false],
    ['Lt', { key: 'k', operator: 'Lt', value: '5' }, taint('-4'), true],
    ['Lt, equal', { key: 'k', operator: 'Lt', value: '5' }, taint('5'), false],
    ['Gt, leading zero', { key: 'k', operator: 'Gt', value: '05' }, taint('6'), false],
    ['Gt, no number', { key: 'k', operator: 'Gt', value: '5' }, taint('six'), false],
    ['Gt, no value', { key: 'k', operator: 'Gt', value: '5' }, taint(), false],
    ['Gt, value that is no number', { key: 'k', operator: 'Gt', value: '5x' }, taint('6'), false],
    ['Lt, no value', { key: 'k', operator: 'Lt', value: '5' }, taint(), false],
    ['Lt, more than one digit', { key: 'k', operator: 'Lt', value: '12' }, taint('10'), true],
    ['Lt, the largest', { key: 'k', operator: 'Lt', value: '9223372036854775807' }, taint('1'), true],
    ['Gt, the smallest', { key: 'k', operator: 'Gt', value: '-9223372036854775808' }, taint('1'), true],
    ['Gt, below the smallest', { key: 'k', operator: 'Gt', value: '-9223372036854775809' }, taint('1'), false],
    ['Lt, beyond 64 bits', { key: 'k', operator: 'Lt', value: '9223372036854775808' }, taint('1'), false],
    ['unknown operator', { key: 'k', operator: 'Like', value: 'v' }, taint('v'), false],
  ])('%s', (_name, toleration, given, expected) => {
    expect(tolerates(toleration, given, true)).toBe(expected);
  });

  it('does not compare while the gate is off', () => {
    expect(tolerates({ key: 'k', operator: 'Gt', value: '5' }, taint('6'), false)).toBe(false);
  });

  it('matters for NoExecute only, and for each such taint', () => {
    const pod = (...tolerations: readonly Toleration[]): Pod => ({
      metadata: {},
      spec: { containers: [], tolerations },
    });
    const taints = [
      { key: 'a', effect: 'NoSchedule' },
      { key: 'b', effect: 'NoExecute' },
      { key: 'c', effect: 'NoExecute' },
    ];
    const exists = (key: string): Toleration => ({ key, operator: 'Exists' });
    expect(toleratesNode(pod(exists('b')), { spec: { taints } }, false)).toBe(false);
    expect(toleratesNode(pod(exists('b'), exists('c')), { spec: { taints } }, false)).toBe(true);
    expect(toleratesNode(pod(), {}, false)).toBe(true);
  });
});
