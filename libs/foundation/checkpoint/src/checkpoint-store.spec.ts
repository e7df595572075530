import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import type { CheckpointFormat } from './checkpoint-format.js';
import { createCheckpointStore } from './checkpoint-store.js';
import { goChecksum, goString } from './go-type.js';

const policy: CheckpointFormat = {
  type: {
    kind: 'struct',
    name: 'state.PolicyCheckpoint',
    fields: [
      { name: 'PolicyName', key: 'policyName', type: goString },
      { name: 'Checksum', key: 'checksum', type: goChecksum },
    ],
  },
};

describe('createCheckpointStore', () => {
  let directory = '';
  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'checkpoint-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('writes, reads, lists and removes', async () => {
    const store = createCheckpointStore(path.join(directory, 'new/store'));
    expect(await store.list()).toEqual([]);
    await Promise.all(['1', '2', '3'].map((content) => store.write('b', content)));
    await store.writeChecked('a', { policyName: 'none' }, policy);
    expect(await store.read('b')).toBe('3');
    expect(await store.list()).toEqual(['a', 'b']);
    expect(await store.readChecked('a', policy)).toMatchObject({ policyName: 'none' });
    expect((await stat(path.join(directory, 'new/store/a'))).mode & 0o777).toBe(0o600);
    await store.remove('b');
    await store.remove('b');
    expect(hasCode(await store.read('b').catch((error: unknown) => error), 'not-found')).toBe(true);
    expect(await readdir(path.join(directory, 'new/store'))).toEqual(['a']);
  });

  it('ignores temporary files and removes them when asked', async () => {
    await writeFile(path.join(directory, '.left.1-1'), 'half');
    await writeFile(path.join(directory, '.mine.1-1'), 'half');
    const store = createCheckpointStore(directory);
    expect(await store.list()).toEqual([]);
    await store.removeLeftovers('mine');
    expect((await readdir(directory)).filter((name) => name.startsWith('.'))).toEqual(['.left.1-1']);
    await store.removeLeftovers();
    expect((await readdir(directory)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('keeps the old content and no temporary file when a write fails', async () => {
    const store = createCheckpointStore(directory);
    await store.write('kept', 'old');
    await expect(store.write('kept', undefined as unknown as string)).rejects.toThrow();
    expect(await readFile(path.join(directory, 'kept'), 'utf8')).toBe('old');
    expect((await readdir(directory)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it.each(['../x', '.hidden', '', 'a/b', 'x'.repeat(251)])('refuses the name %j', async (name) => {
    const error: unknown = await createCheckpointStore(directory)
      .write(name, '')
      .catch((thrown: unknown) => thrown);
    expect(hasCode(error, 'invalid-argument')).toBe(true);
  });
});
