import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { featureGateTable } from '@podwright/kubelet-configuration';
import { gateAnswers } from './gate-answers.js';
import { gateReaders } from './gate-options.js';

const root = path.resolve(__dirname, '../../../..');
const answers = Object.entries(gateAnswers);
const spec = (gate: string) => featureGateTable.get(gate);

describe('the answers about feature gates', () => {
  it('are there for every gate that nothing asks for, and for no other', () => {
    const open = [...featureGateTable.keys()].filter((gate) => gateReaders(gate) === undefined);
    expect(open.length).toBeGreaterThan(30);
    expect(Object.keys(gateAnswers).sort()).toEqual(open.sort());
  });

  it('do not contradict the value that a gate is locked to', () => {
    const contradicting = answers.filter(([gate, { kind }]) => {
      const value = spec(gate)?.locked === true ? spec(gate)?.default : undefined;
      return kind === 'always on' ? value === false : kind === 'always off' && value === true;
    });
    expect(contradicting.map(([gate]) => gate)).toEqual([]);
  });

  it('name files that exist', () => {
    const places = answers.flatMap(([, answer]) => ('where' in answer ? [answer.where] : []));
    expect(places.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });
});
