import { describe, expect, it } from '@jest/globals';
import type { Manifest, WorkspacePackage } from '../packages.js';
import { boundedRange, dependencyFaults } from './dependency-faults.js';
import { fixManifest } from './fix-manifest.js';

const pkg = (folder: string, name: string, manifest: Partial<Manifest> = {}): WorkspacePackage => ({
  folder,
  name,
  type: undefined,
  manifest: { name, version: '0.3.1', ...manifest },
});

const workspace = new Map(
  [pkg('libs/runtime/pleg/interface', '@podwright/pleg-interface'), pkg('libs/foundation/time', '@podwright/time')].map(
    (entry) => [entry.name, entry],
  ),
);
const context = { workspace, npmRanges: new Map([['yaml', '^2.9.1']]) };
const imports = new Map([
  ['@podwright/pleg-interface', 'a.ts'],
  ['@podwright/time', 'b.ts'],
  ['yaml', 'c.ts'],
]);

describe('dependency faults', () => {
  it('accepts an implementation that names what it imports', () => {
    const right = pkg('libs/runtime/pleg/default', '@podwright/pleg', {
      dependencies: { '@podwright/time': '^0.3.1', yaml: '^2.9.1' },
      peerDependencies: { '@podwright/pleg-interface': '>=0.3.0 <0.4.0' },
    });
    expect(dependencyFaults(right, imports, context)).toEqual([]);
  });

  it('finds what is missing, unused, unbounded or in the wrong section, and puts it right', () => {
    const manifest = {
      name: '@podwright/pleg',
      dependencies: { '@podwright/pleg-interface': '^0.3.1', '@podwright/time': '*', leftover: '1.0.0' },
      podwright: { type: 'impl' },
    };
    const wrong = pkg('libs/runtime/pleg/default', '@podwright/pleg', manifest as Partial<Manifest>);
    const faults = dependencyFaults(wrong, imports, context);
    expect(faults.map(({ kind, dependency }) => `${kind} ${dependency}`)).toEqual([
      'section @podwright/pleg-interface',
      'missing yaml',
      'range @podwright/time',
      'unused leftover',
    ]);
    const fixed = JSON.parse(fixManifest(JSON.stringify(manifest), faults)) as Manifest;
    expect(fixed.dependencies).toEqual({ '@podwright/time': '^0.3.1', yaml: '^2.9.1' });
    expect(fixed.peerDependencies).toEqual({ '@podwright/pleg-interface': '>=0.3.1 <0.4.0' });
    expect(Object.keys(fixed)).toEqual(['name', 'dependencies', 'peerDependencies', 'podwright']);
  });

  it('bounds an interface before the next version that may break implementers', () => {
    expect([boundedRange('0.1.0'), boundedRange('2.3.4')]).toEqual(['>=0.1.0 <0.2.0', '>=2.3.4 <3.0.0']);
  });
});
