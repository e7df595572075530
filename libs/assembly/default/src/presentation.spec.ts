import { describe, expect, it } from '@jest/globals';
import { formatFaults } from './format-faults.js';
import { nearestNames } from './nearest-names.js';
import { toMermaid } from './to-mermaid.js';

describe('formatFaults', () => {
  it('numbers faults and puts hints below', () => {
    const faults = [
      { kind: 'cycle', message: 'a needs b' },
      { kind: 'bad-file', message: 'x.yaml is empty', hint: 'fill it' },
    ] as const;
    expect(formatFaults(faults)).toBe('1. a needs b\n2. x.yaml is empty\n   hint: fill it');
    expect(formatFaults([])).toBe('');
  });
});

describe('toMermaid', () => {
  it('draws an arrow from who needs to who provides', () => {
    const node = { provides: [], requires: [], optional: [], contributes: [], depth: 0 };
    const text = toMermaid({
      modules: [
        { ...node, name: '@podwright/pleg' },
        { ...node, name: 'evil"]' },
      ],
      edges: [
        { from: 'evil"]', to: '@podwright/pleg', token: 'kubelet.pleg/v1', optional: false },
        { from: '@podwright/pleg', to: 'evil"]', token: 'x', optional: true },
      ],
      values: [],
    });
    expect(text.split('\n')).toEqual([
      'flowchart TD',
      '  m0["@podwright/pleg"]',
      '  m1["evil#34;#93;"]',
      '  m1 -->|"kubelet.pleg/v1"| m0',
      '  m0 -.->|"x"| m1',
      '',
    ]);
  });
});

describe('nearestNames', () => {
  const known = ['@podwright/pleg', '@podwright/image', '@podwright/image-gc', '@podwright/status'];
  it.each([
    ['@podwright/plge', ['@podwright/pleg']],
    ['pleg', ['@podwright/pleg']],
    ['@podwright/image-cg', ['@podwright/image-gc']],
    ['something-else', []],
  ])('%s', (name, expected) => {
    expect(nearestNames(name, known).slice(0, expected.length || 1)).toEqual(expected);
  });
});
