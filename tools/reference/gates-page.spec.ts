import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { featureGateTable } from '@podwright/kubelet-configuration';
import { gatesPage } from './gates-page.js';

const root = path.resolve(__dirname, '../..');

describe('docs/feature-gates.md', () => {
  it('is what tools/reference/main.ts makes', () => {
    expect(readFileSync(path.join(root, 'docs/feature-gates.md'), 'utf8')).toBe(gatesPage());
  });

  it('answers for each gate', () => {
    const rows = [...gatesPage().matchAll(/^\| `(\w+)`((?: +\| [^|]+){4})\|$/gm)];
    const answered = rows.filter(([, , cells = '']) => !/\| +(\||$)/.test(cells)).map(([, gate]) => gate);
    expect(answered).toEqual([...featureGateTable.keys()].sort());
  });
});
