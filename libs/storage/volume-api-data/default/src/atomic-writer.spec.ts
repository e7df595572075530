import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createSeededRandom, VirtualClock } from '@podwright/time';
import { writeAtomically } from './atomic-writer.js';

const startMs = Date.UTC(2026, 0, 31, 23, 59, 58);

describe('writeAtomically', () => {
  let folder = '';
  let volume = '';
  let clock: VirtualClock;
  const random = createSeededRandom(1);
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atomic-writer-'));
    volume = join(folder, 'volume');
    await mkdir(volume);
    clock = new VirtualClock({ startMs });
  });
  afterEach(() => rm(folder, { recursive: true }));

  const write = (
    files: Readonly<Record<string, string | { readonly text: string; readonly mode: number }>>,
    setPermissions: () => Promise<void> = async () => undefined,
  ): Promise<string> => {
    const payload = Object.entries(files).map(([path, content]) => {
      const { text, mode } = typeof content === 'string' ? { text: content, mode: 0o644 } : content;
      return [path, { data: Buffer.from(text), mode }] as const;
    });
    return writeAtomically(volume, new Map(payload), { clock, random, setPermissions });
  };
  const dataDirectory = (): Promise<string> => readlink(join(volume, '..data'));
  /** Everything in the volume; links with their targets, the random name of the data directory left out. */
  const tree = async (directory = volume): Promise<string[]> => {
    const lines: string[] = [];
    for (const entry of await readdir(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (entry.isSymbolicLink()) lines.push(`${entry.name} -> ${await readlink(path)}`);
      else lines.push(entry.isDirectory() ? `${entry.name}/` : entry.name);
      if (entry.isDirectory()) lines.push(...(await tree(path)).map((line) => `${entry.name}/${line}`));
    }
    return lines.map((line) => line.replace(/\.\d+(?=$|\/)/g, '.R')).sort();
  };
  const modeOf = async (path: string): Promise<string> => ((await lstat(join(volume, path))).mode & 0o7777).toString(8);

  it('lays a volume out as upstream does', async () => {
    await write({ labels: 'a="b"', 'deep/er/name': { text: 'web', mode: 0o400 } });
    const data = '..2026_01_31_23_59_58.R';
    expect(await tree()).toEqual(
      [
        `${data}/`,
        `${data}/deep/`,
        `${data}/deep/er/`,
        `${data}/deep/er/name`,
        `${data}/labels`,
        `..data -> ${data}`,
        'deep -> ..data/deep',
        'labels -> ..data/labels',
      ].sort(),
    );
    expect(await readFile(join(volume, 'deep/er/name'), 'utf8')).toBe('web');
    expect(await dataDirectory()).toMatch(/^\.\.2026_01_31_23_59_58\.\d{1,10}$/);
    expect([await modeOf(await dataDirectory()), await modeOf('..data/labels')]).toEqual(['755', '644']);
    expect(await modeOf('..data/deep/er/name')).toBe('400');
  });

  it('gives files their mode and no other bits, whatever the umask is', async () => {
    await write({ all: { text: '', mode: 0o666 }, none: { text: '', mode: 0 }, special: { text: '', mode: 0o6755 } });
    expect([await modeOf('..data/all'), await modeOf('..data/none'), await modeOf('..data/special')]).toEqual([
      '666',
      '0',
      '755',
    ]);
  });

  it('leaves equal content as it is, but puts back a link that is gone', async () => {
    await write({ a: '1', b: '2' });
    const before = await dataDirectory();
    await unlink(join(volume, 'b'));
    await clock.advance(5_000);
    await write({ a: '1', b: { text: '2', mode: 0o600 } });
    expect([await dataDirectory(), await readFile(join(volume, 'b'), 'utf8')]).toEqual([before, '2']);
    expect(await modeOf('..data/b')).toBe('644'); // a mode alone is no change
  });

  it.each<[string, Record<string, string>, Record<string, string>, string[]]>([
    ['changed', { a: '1' }, { a: '2' }, ['a']],
    ['more', { a: '1' }, { a: '1', b: '2' }, ['a', 'b']],
    ['fewer', { a: '1', b: '2' }, { a: '1' }, ['a']],
    ['fewer below a name that stays', { 'd/a': '1', 'd/b': '2' }, { 'd/a': '1' }, ['d']],
    ['a directory less', { 'd/a': '1', b: '2' }, { b: '2' }, ['b']],
    ['a file in place of a directory', { 'd/a': '1' }, { d: '2' }, ['d']],
    ['none', { a: '1' }, {}, []],
  ])('exchanges everything at once: %s', async (_, first, second, names) => {
    await write(first);
    const before = await dataDirectory();
    await clock.advance(1_000);
    await write(second);
    const data = await dataDirectory();
    expect(data).not.toBe(before);
    expect((await readdir(volume)).sort()).toEqual([data, '..data', ...names].sort());
    for (const [path, text] of Object.entries(second)) expect(await readFile(join(volume, path), 'utf8')).toBe(text);
  });

  it('shows the new content only with its owner set', async () => {
    await write({ a: '1' });
    const seen: string[] = [];
    await write({ a: '2' }, async () => void seen.push(await readFile(join(volume, 'a'), 'utf8')));
    expect([seen, await readFile(join(volume, 'a'), 'utf8')]).toEqual([['1'], '2']);
    const refused = write({ a: '3' }, () => Promise.reject(new Error('no')));
    await expect(refused).rejects.toThrow('no');
    expect([await readFile(join(volume, 'a'), 'utf8'), (await readdir(volume)).length]).toEqual(['2', 3]);
  });

  it('puts right what a kill in the midst of a write left', async () => {
    await write({ a: '1' });
    await mkdir(join(volume, '..2026_01_31_00_00_00.77'));
    await symlink('..2026_01_31_00_00_00.77', join(volume, '..data_tmp'));
    await write({ a: '2' });
    expect((await readdir(volume)).sort()).toEqual(['..data', await dataDirectory(), 'a'].sort());
    expect(await readFile(join(volume, 'a'), 'utf8')).toBe('2');
  });

  it('puts right what a kill after the exchange left, with content that is the same since', async () => {
    await write({ a: '1', gone: '1', 'deep/er': '1' });
    const old = await dataDirectory();
    await clock.advance(1_000);
    await write({ a: '2' });
    // As before the last two steps: the links of the old content, and the content.
    await symlink('..data/gone', join(volume, 'gone'));
    await symlink('..data/deep', join(volume, 'deep'));
    await mkdir(join(volume, old));
    await writeFile(join(volume, old, 'gone'), 'secret');
    await unlink(join(volume, 'a'));
    await write({ a: '2' });
    expect((await readdir(volume)).sort()).toEqual(['..data', await dataDirectory(), 'a'].sort());
  });

  it('leaves in place what stands where a name is, such as a mount point', async () => {
    await mkdir(join(volume, 'nested'));
    await symlink('elsewhere', join(volume, 'foreign'));
    await write({ 'nested/a': '1', b: '2', nested2: '3' });
    await clock.advance(1_000);
    await write({ b: '2' });
    expect(await readdir(join(volume, 'nested'))).toEqual([]);
    expect((await readdir(volume)).sort()).toEqual(['..data', await dataDirectory(), 'b', 'foreign', 'nested'].sort());
  });

  it('leaves a mount point alone whose name the content has no more', async () => {
    await mkdir(join(volume, 'nested'));
    await write({ nested: '1', b: '2' });
    await write({ b: '2' });
    expect(await readdir(join(volume, 'nested'))).toEqual([]);
  });

  it('never follows a link that it did not make', async () => {
    const precious = join(folder, 'precious');
    await mkdir(precious);
    await writeFile(join(precious, 'a'), 'keep');
    await symlink('../precious', join(volume, '..data'));
    await write({ a: '1' });
    await clock.advance(1_000);
    // Inside of the data as well.
    await unlink(join(volume, '..data/a'));
    await symlink(join(precious, 'a'), join(volume, '..data/a'));
    await write({ a: 'keep' });
    expect((await lstat(join(volume, '..data/a'))).isFile()).toBe(true);
    await symlink(precious, join(volume, '..data/d'));
    await write({ a: 'keep' });
    expect((await readdir(volume)).sort()).toEqual(['..data', await dataDirectory(), 'a'].sort());
    expect([await readdir(precious), await readFile(join(precious, 'a'), 'utf8')]).toEqual([['a'], 'keep']);
  });

  it('says in Go’s words that a path is both a file and a directory', async () => {
    await expect(write({ 'a/b': '1', a: '2' })).rejects.toThrow(
      /^open \/.*\/volume\/\.\.2026[^/]*\/a: is a directory$/,
    );
    await expect(write({ a: '2', 'a/b': '1' })).rejects.toThrow(
      /^mkdir \/.*\/volume\/\.\.2026[^/]*\/a\/: file exists$/,
    );
    expect(await readdir(volume)).toEqual([]);
  });

  it('writes nothing for a path that leads out', async () => {
    await expect(write({ fine: '1', '../out': '2' })).rejects.toThrow("invalid path: must not contain '..': ../out");
    expect(await readdir(volume)).toEqual([]);
  });
});
