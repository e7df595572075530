import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import { writeFileAtomically } from './atomic-file.js';
import { removeLeftovers, removeTemporaryFiles } from './remove-leftovers.js';

describe('removeLeftovers', () => {
  let directory = '';
  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'checkpoint-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const logger = createMemoryLogger();
  const put = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) await writeFile(path.join(directory, name), '');
  };
  const left = async (): Promise<readonly string[]> => (await readdir(directory)).sort();

  it('removes what killed processes left of the writes of these files, and nothing else', async () => {
    const others = ['mine', '.mine', '.mine.swp', '.mine.1', `.mine-too.12-0`, `mine.12-0`, `.x.mine.12-0`];
    await put(`.mine.12-0`, `.mine.12-12`, `.second.7-3`, ...others);
    await mkdir(path.join(directory, `.mine.12-1`));
    await removeLeftovers([path.join(directory, 'mine'), path.join(directory, 'second')], logger);
    expect(await left()).toEqual([...others, `.mine.12-1`].sort());
  });

  it('knows the names that a write gives', async () => {
    await mkdir(path.join(directory, 'mine'));
    const failed = writeFileAtomically(path.join(directory, 'mine'), '');
    await expect(failed).rejects.toThrow(/rename '.*\/\.mine\.\d+-\d+' -> /);
    const name = /\.mine\.\d+-\d+/.exec(String(await failed.catch((error: unknown) => error)))?.[0] ?? '';
    await put(name);
    await removeLeftovers([path.join(directory, 'mine')], logger);
    expect(await left()).toEqual(['mine']);
  });

  it('says what it cannot look at, and goes on', async () => {
    await put('file', `.mine.12-0`);
    const [bad, mine] = [path.join(directory, 'file/bad'), path.join(directory, 'mine')];
    const own = createMemoryLogger();
    await removeLeftovers([bad, path.join(directory, 'missing/file'), mine], own);
    expect(await left()).toEqual(['file']);
    expect(own.entries).toMatchObject([{ severity: 'warning', fields: { file: bad } }]);
  });

  it('can clear a directory of them', async () => {
    await put(`.mine.12-0`, `.other.12-0`, '.hidden');
    await removeTemporaryFiles(directory);
    expect(await left()).toEqual(['.hidden']);
  });
});
