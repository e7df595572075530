import { describe, expect, it } from '@jest/globals';
import { listName, statusEntry } from './dpkg-database.js';

const control = 'Package: mount\nVersion: 2.41-5\nArchitecture: amd64\nDescription: tools\n for mounts\n';

describe("the guest's dpkg", () => {
  it('takes a package for installed', () => {
    expect(statusEntry(control)).toBe(
      'Package: mount\nStatus: install ok installed\nVersion: 2.41-5\nArchitecture: amd64\nDescription: tools\n for mounts\n',
    );
  });

  it('finds the list of its files, also of a package for several architectures', () => {
    expect(listName(control)).toBe('mount');
    expect(listName(`${control}Multi-Arch: same\n`)).toBe('mount:amd64');
    expect(listName(`${control}Multi-Arch: foreign\n`)).toBe('mount');
  });
});
