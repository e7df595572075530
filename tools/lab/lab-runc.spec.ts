import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { renderRuncScript } from './lab-runc.js';

// As CRI-O writes it.
const spec = {
  process: {
    oomScoreAdj: -998,
    capabilities: {
      bounding: ['CAP_CHOWN', 'CAP_SYS_RESOURCE', 'CAP_BPF'],
      effective: ['CAP_SYS_RESOURCE'],
      permitted: ['CAP_CHOWN', 'CAP_SYS_RESOURCE'],
    },
  },
  linux: { resources: { hugepageLimits: [{ pageSize: '2MB', limit: 0 }], memory: { limit: -1 } } },
};

describe('the script in the place of runc', () => {
  let bundle: string;
  let file: string;
  beforeEach(() => {
    bundle = mkdtempSync(path.join(tmpdir(), 'lab-runc-'));
    file = path.join(bundle, 'config.json');
    writeFileSync(file, JSON.stringify(spec, undefined, '\t'));
  });
  afterEach(() => rmSync(bundle, { recursive: true }));

  /** Runs it with echo as the program; resolves with what echo was given, and the container's spec. */
  function run(options: { readonly hugetlb: boolean; readonly lowestOomScoreAdj: number | undefined }): unknown {
    const script = path.join(bundle, 'runc');
    writeFileSync(script, renderRuncScript({ program: '/bin/echo', env: {}, ...options }), { mode: 0o755 });
    const said = execFileSync(script, ['create', '--bundle', bundle, 'id'], { encoding: 'utf8' });
    return [said, JSON.parse(readFileSync(file, 'utf8'))];
  }

  it('passes everything on', () => {
    expect(run({ hugetlb: true, lowestOomScoreAdj: undefined })).toEqual([`create --bundle ${bundle} id\n`, spec]);
  });

  it('adapts the container to what the machine allows', () => {
    expect(run({ hugetlb: false, lowestOomScoreAdj: 0 })).toEqual([
      `create --bundle ${bundle} id\n`,
      {
        process: {
          oomScoreAdj: 0,
          capabilities: { bounding: ['CAP_CHOWN', 'CAP_BPF'], effective: [], permitted: ['CAP_CHOWN'] },
        },
        linux: { resources: { hugepageLimits: [], memory: { limit: -1 } } },
      },
    ]);
  });
});
