import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { succeed } from '../../workspace/run-node.js';
import { changedFiles } from './changed-files.js';

describe('files that differ', () => {
  let dir = '';
  const git = (...args: readonly string[]): Promise<void> =>
    succeed('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.com', '-c', 'commit.gpgsign=false', ...args], dir);
  const write = (file: string, text: string): Promise<void> => writeFile(path.join(dir, file), text);
  const commit = async (message: string): Promise<void> => {
    await git('add', '-A');
    await git('commit', '-q', '-m', message);
  };
  const filesSince = async (base?: string): Promise<readonly string[]> => (await changedFiles(base, dir)).files;

  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'changed-files-'));
    await git('init', '-q', '-b', 'main');
    for (const file of ['kept', 'edited', 'dropped', 'moved']) await write(file, `${file} one\n`);
    await commit('one');
  });
  afterEach(() => rm(dir, { recursive: true }));

  it('are on main those that are not committed, also new ones that git does not know', async () => {
    expect(await filesSince()).toEqual([]);
    await write('edited', 'two\n');
    await write('fresh ä', '');
    await rm(path.join(dir, 'dropped'));
    expect(await filesSince()).toEqual(['dropped', 'edited', 'fresh ä']);
  });

  it('are on a branch those since it left main, whatever main has got since', async () => {
    await git('switch', '-q', '-c', 'topic');
    await git('mv', 'moved', 'elsewhere');
    await commit('two');
    await git('switch', '-q', 'main');
    await write('kept', 'of main\n');
    await commit('three');
    await git('switch', '-q', 'topic');
    await write('edited', 'not committed\n');
    expect(await filesSince()).toEqual(['edited', 'elsewhere', 'moved']);
    expect(await filesSince('HEAD')).toEqual(['edited']);
    expect((await changedFiles('main', dir)).since).toMatch(/^[0-9a-f]{10}, where HEAD left main$/);
  });

  it('are not told for a base that is none, but what to do', async () => {
    await expect(filesSince('nowhere')).rejects.toThrow('--base "nowhere" is no commit of this clone: name a branch');
    await expect(filesSince('--all')).rejects.toThrow('--base "--all" is no commit of this clone');
    await git('switch', '-q', '--orphan', 'alone');
    await write('first', '');
    await commit('of another history');
    await expect(filesSince()).rejects.toThrow('--base "main" and HEAD have no commit in common');
    await git('branch', '-q', '-D', 'main');
    await expect(filesSince()).rejects.toThrow('neither main nor origin/main: name what to compare with');
    await rm(path.join(dir, '.git'), { recursive: true });
    await expect(filesSince()).rejects.toThrow('this folder is no git clone');
  });
});
