import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { listPackages } from '../workspace/packages.js';
import { differencesIn, differencesPage, packageDifferences } from './differences-page.js';

const root = path.resolve(__dirname, '../..');

describe('docs/differences.md', () => {
  it('is what tools/reference/main.ts makes', () => {
    expect(readFileSync(path.join(root, 'docs/differences.md'), 'utf8')).toBe(differencesPage());
  });

  it('has something of every package with the section', () => {
    const packages = packageDifferences();
    expect(packages.length).toBeGreaterThan(60);
    expect(packages.filter(({ text }) => text === '' || text.startsWith('None'))).toEqual([]);
  });

  it('knows the section of every README by its heading', () => {
    const readmes = listPackages().map(({ folder }) => path.join(root, folder, 'README.md'));
    const others = readmes.filter((file) =>
      /^(Differences|Where .* differs?) from upstream.*:/m.test(readFileSync(file, 'utf8')),
    );
    expect(others).toEqual([]);
  });

  it('takes the section as it is, up to what follows it', () => {
    const section = '- Upstream waits.\n  Here nobody does.\n- Two.';
    for (const after of [
      '## Where to change what\n',
      'To replace it, provide X.\n',
      'Stability: experimental.\n',
      '',
    ]) {
      expect(differencesIn(`# a\n\n## Differences from upstream\n\n${section}\n\n${after}`)).toBe(section);
    }
    expect(differencesIn('# a\n\n## Differences\n')).toBeUndefined();
  });

  it('has links that lead where those of the README do', () => {
    const text = '- [a](src/a.ts), [b](../interface/README.md#b), [c](#c), [d](https://example.com/d)';
    const [, line] = /^(- .*)$/m.exec(differencesPage([{ name: 'n', folder: 'libs/x/default', text }])) ?? [];
    expect(line).toBe(
      '- [a](../libs/x/default/src/a.ts), [b](../libs/x/interface/README.md#b), [c](../libs/x/default/README.md#c), [d](https://example.com/d)',
    );
  });
});
