import { describe, expect, it } from '@jest/globals';
import { versionFaults } from './next-versions.js';

const packages = ['0.1.3', '1.2.3'].map((version, index) => ({
  name: `@podwright/p${index}`,
  folder: `libs/p${index}`,
  type: undefined,
  manifest: { name: `@podwright/p${index}`, version },
}));
const output = (versions: readonly string[]): string =>
  versions
    .map(
      (version, index) =>
        ` NX   Running release version for project: @podwright/p${index}\n\n` +
        `@podwright/p${index} ✍️  New version ${version} written to manifest: libs/p${index}/package.json\n`,
    )
    .join('');

describe('versionFaults', () => {
  it('expects a feature to be a patch before 1.0.0, and a minor version after', () => {
    expect(versionFaults(output(['0.1.4', '1.3.0']), packages, true)).toEqual([]);
  });

  it('names wrong versions and packages that are left out', () => {
    expect(versionFaults(output(['0.2.0', '1.3.0']), packages, true)).toEqual([
      '@podwright/p0 0.1.3 becomes 0.2.0, not 0.1.4',
    ]);
    expect(versionFaults(output(['0.1.4']), packages, false)).toEqual(['@podwright/p1 is left out']);
  });
});
