import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listPackages } from '../workspace/packages.js';
import { packagesPage } from './packages-page.js';

const root = path.resolve(__dirname, '../..');

describe('docs/packages.md', () => {
  it('is what tools/reference/main.ts makes', () => {
    expect(readFileSync(path.join(root, 'docs/packages.md'), 'utf8')).toBe(packagesPage());
  });

  it('says of each package more than its name', () => {
    const packages = listPackages();
    expect(packages.length).toBeGreaterThan(100);
    const empty =
      /^(|Default implementation of \S+|Default [\w ]+ of Podwright|Interface, token and contract suite of \S+)$/;
    const silent = packages.filter(({ manifest }) => empty.test(manifest.description ?? ''));
    expect(silent.map(({ name }) => name)).toEqual([]);
  });
});
