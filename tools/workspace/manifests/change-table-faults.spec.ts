import { describe, expect, it } from '@jest/globals';
import type { WorkspacePackage } from '../packages.js';
import { changeTableFaults } from './change-table-faults.js';

const manifest = { name: '@podwright/time', version: '0.1.0' };
const pkg = (type: WorkspacePackage['type']): WorkspacePackage => ({
  folder: 'libs/foundation/time',
  name: manifest.name,
  type,
  manifest,
});
const table = (file: string): string =>
  `## Where to change what\n\n| to change | look at |\n| - | - |\n| a | \`${file}\` |\n`;

describe('"Where to change what"', () => {
  it('belongs into the README of every implementation', () => {
    const fault = expect.stringContaining('needs "## Where to change what"');
    expect(changeTableFaults(pkg('impl'), '# time\n')).toEqual([fault]);
    expect(changeTableFaults(pkg('impl'), '## Where to change what\n\nLook around.\n')).toEqual([fault]);
    expect(changeTableFaults(pkg('foundation'), '# time\n')).toEqual([]);
    expect(changeTableFaults(pkg('impl'), table('src/clock.ts'))).toEqual([]);
  });

  it('names files that exist, whoever has it', () => {
    expect(changeTableFaults(pkg('foundation'), table('src/sundial.ts'))).toEqual([
      'README.md, "Where to change what": there is no libs/foundation/time/src/sundial.ts',
    ]);
  });
});
