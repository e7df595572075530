import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import { fileKey } from './file-key.js';
import { parseEnvFile } from './parse-env-file.js';
import { readInside } from './read-inside.js';

describe('parseEnvFile', () => {
  it.each<[string, string]>([
    ["B='2'\nA='1'\n", '1'],
    ["# note\n\n  A='1' # why\n\t# note", '1'],
    ['A=\'# $HOME "x" \\n\'', '# $HOME "x" \\n'],
    ["A='one\ntwo\n'\nB='3'", 'one\ntwo\n'],
    ["A='1'\r\nB='2'\r\n", '1'],
    ["A='1\r\n2'", '1\n2'],
    ["A='1'", '1'],
    ["A=''", ''],
    ["A= '1'", ''],
    ["B= \"2\"\nexport A='2'\nA='1'", '1'],
    ["A='1'\nA='2'\nB=wrong", '1'],
    ['', ''],
  ])('%j', (text, expected) => {
    expect(parseEnvFile(text, 'A')).toBe(expected);
  });

  it.each([
    ['A=1', 1, 'value must be enclosed in single quotes'],
    ['\nA="1"', 2, 'value must be enclosed in single quotes'],
    ["A='1''2'", 1, 'unexpected content after closing quote'],
    ["A='1\n2'B", 2, 'unexpected content after closing quote'],
    ["\nA='1\n2", 2, 'unclosed single quote'],
    ['A', 1, "missing '='"],
    [" ='1'", 1, 'empty variable name'],
    ["A = '1'", 1, "whitespace before '=' is not allowed"],
    [`A='1\n${'x'.repeat(65_536)}'`, 2, 'token too long'],
  ])('refuses %j', (text, line, problem) => {
    expect(() => parseEnvFile(text, 'A')).toThrow(`invalid environment variable format at line ${line}: ${problem}`);
    expect(() => parseEnvFile(`C='0'\n${text}`, 'C')).not.toThrow();
  });
});

describe('files in volumes', () => {
  let volume = '';
  let outside = '';
  beforeEach(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'env-file-'));
    volume = join(folder, 'volume');
    outside = join(folder, 'secret');
    await mkdir(join(volume, 'sub'), { recursive: true });
    await writeFile(outside, "K='of the node'");
    await writeFile(join(volume, 'sub/env'), "K='v'\nEMPTY=''\n");
  });
  afterEach(() => rm(join(volume, '..'), { recursive: true }));

  const inside = (path: string): Promise<string | undefined> => readInside(volume, path, 1000);

  it('are read through links that stay inside', async () => {
    await symlink('/sub/env', join(volume, 'absolute'));
    await symlink('sub', join(volume, 'dir'));
    await symlink('../../../sub/./env', join(volume, 'sub/up'));
    for (const path of ['sub/env', './sub//env', 'absolute', 'dir/env', 'sub/up', '../sub/env']) {
      expect([path, await inside(path)]).toEqual([path, "K='v'\nEMPTY=''\n"]);
    }
  });

  it('are never those of the node, nor anything but files', async () => {
    await symlink(outside, join(volume, 'absolute'));
    await symlink('../secret', join(volume, 'relative'));
    await symlink('loop', join(volume, 'loop'));
    await promisify(execFile)('mkfifo', [join(volume, 'fifo')]);
    await writeFile(join(volume, 'large'), 'x'.repeat(1001));
    for (const path of ['absolute', 'relative', 'missing', 'sub/env/x']) expect(await inside(path)).toBeUndefined();
    await expect(inside('loop')).rejects.toThrow('too many levels of symbolic links');
    await expect(inside('fifo')).rejects.toThrow('no regular file');
    await expect(inside('sub')).rejects.toThrow('no regular file');
    await expect(inside('large')).rejects.toThrow('larger than 1000 bytes');
  });

  const value = (path: string, key: string, optional?: boolean): Promise<string | undefined> => {
    const mounted = { name: 'v', hostPath: volume, readOnly: false, managed: true, selinuxRelabel: true };
    const selector = { volumeName: 'v', path, key, ...(optional !== undefined && { optional }) };
    return fileKey(selector, [mounted], createMemoryLogger());
  };

  it('give the value of a key', async () => {
    expect(await value('sub/env', 'K')).toBe('v');
    for (const [path, key] of [
      ['sub/env', 'NONE'],
      ['sub/env', 'EMPTY'],
      ['gone', 'K'],
    ] as const) {
      expect(await value(path, key, true)).toBeUndefined();
      const text = `environment variable key "${key}" not found in file "${join(volume, path)}"`;
      await expect(value(path, key)).rejects.toThrow(path === 'gone' ? /^couldn't parse env file$/ : text);
    }
  });

  it('are refused in upstream’s words', async () => {
    await writeFile(join(volume, 'bad'), 'K=v');
    await writeFile(join(volume, 'wide'), `K='${'x'.repeat(40_000)}'`);
    await expect(value('bad', 'K', true)).rejects.toThrow(/^couldn't parse env file$/);
    expect(await value('wide', 'K')).toHaveLength(40_000);
  });
});
