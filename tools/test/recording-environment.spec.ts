import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { runJestIn } from './fixtures/run-jest-in.js';

const spec = `
  const nodes = globalThis[Symbol.for('podwright.recorded-nodes')];
  const add = (name, write) => {
    const node = { name, program: 'run', ended: false, keep: async (dir) => write(dir + '/recording') };
    nodes.add(node);
    return node;
  };
  const writes = (file) => (require('node:fs').writeFileSync(file, ''), file);
  afterEach(() => { throw new Error('a hook failed, too'); });
  test('passes', () => void (add('of the case before', writes).ended = true));
  test('asserts', () => {
    add('a', writes);
    add('b', () => undefined);
    add('c', () => { throw new Error('no space'); });
    expect(1).toBe(2);
  });`;

describe('a case that fails', () => {
  let dir = '';
  afterEach(() => rm(dir, { recursive: true }));

  it('names once the recordings of its nodes, and how to replay them', async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'recording-environment-'));
    const recordings = path.join(dir, 'recordings');
    await writeFile(path.join(dir, 'cases.spec.js'), spec);
    const { output } = await runJestIn(dir, { env: { PODWRIGHT_RECORDINGS: recordings } });
    const [failed, ...more] = (await readdir(recordings)).filter((name) => /^cases\.spec\.js-\d+-2$/.test(name));
    const kept = path.join(recordings, failed ?? '', 'a/recording');
    expect(more).toEqual([]);
    expect(output).toContain(
      [
        '    Received: 1\n',
        `    what led to it on a: run replay ${kept} --all`,
        '    b has recorded nothing',
        '    the recording of c could not be kept: Error: no space\n',
      ].join('\n'),
    );
    expect(output.match(/what led to it on [a-z ]+:/g)).toEqual([
      'what led to it on of the case before:',
      'what led to it on a:',
    ]);
  });
});
