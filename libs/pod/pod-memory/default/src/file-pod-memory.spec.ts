import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { crc32 } from 'node:zlib';
import { createMemoryLogger } from '@podwright/logging';
import type { PodMemoryPart } from '@podwright/pod-memory-interface';
import { describePodMemoryContract } from '@podwright/pod-memory-interface/contract';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createFilePodMemory } from './file-pod-memory.js';
import { decodeMemoryFile, encodeMemoryLine } from './memory-file-format.js';

let base = '';
beforeAll(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'pod-memory-'));
});
afterAll(() => rm(base, { recursive: true }));

const text: PodMemoryPart<string> = {
  name: 'text',
  decode: (json) => (typeof json === 'string' ? json : undefined),
};
const other: PodMemoryPart<string> = { ...text, name: 'other' };

async function createWorld(options: { maxBytesPerPod?: number } = {}) {
  const rootDir = await mkdtemp(path.join(base, 'root-'));
  const logger = createMemoryLogger();
  const open = async () => {
    const podMemory = createFilePodMemory({ logger }, { rootDir, ...options });
    await podMemory.start();
    return podMemory;
  };
  return { directory: path.join(rootDir, 'pod_memory'), logger, open };
}

describePodMemoryContract('FilePodMemory', async () => {
  const { open } = await createWorld();
  return { podMemory: await open(), kill: open };
});

describe('FilePodMemory', () => {
  it('names the option that is out of range', () => {
    const logger = createMemoryLogger();
    expect(() => createFilePodMemory({ logger }, { maxBytesPerPod: 1 })).toThrow('maxBytesPerPod');
  });

  it('has one file per pod that nobody else can read', async () => {
    const { directory, open } = await createWorld();
    const podMemory = await open();
    await Promise.all([podMemory.keep('a', text, 'x'), podMemory.keep('b', text, 'y')]);
    expect((await readdir(directory)).sort()).toEqual(['a.json', 'b.json']);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect((await stat(path.join(directory, 'a.json'))).mode & 0o777).toBe(0o600);
    await podMemory.forget('a');
    expect(await readdir(directory)).toEqual(['b.json']);
  });

  it('writes at most twice for calls that come while one write runs', async () => {
    const { directory, open } = await createWorld();
    const podMemory = await open();
    const seen: string[] = [];
    const first = podMemory.keep('a', text, '1').then(async () => {
      seen.push(await readFile(path.join(directory, 'a.json'), 'utf8'));
    });
    // The write takes what is there when it begins, which is after this turn.
    await Promise.resolve();
    await Promise.all([first, ...['2', '3', '4'].map((value) => podMemory.keep('a', text, value))]);
    expect(seen[0]).toMatch(/"text":"[14]"/);
    expect(await readFile(path.join(directory, 'a.json'), 'utf8')).toContain('"text":"4"');
  });

  it.each([
    ['is cut off', (good: string) => good.slice(0, -10), 'cut off'],
    ['is empty', () => '', 'cut off'],
    ['was changed', (good: string) => good.replace('"x"', '"z"'), 'checksum'],
    ['is about another pod', (good: string) => good, 'about pod a'],
  ])('goes on with the other pods when a file %s', async (_name, damage, problem) => {
    const { directory, logger, open } = await createWorld();
    const podMemory = await open();
    await podMemory.keep('a', text, 'x');
    const good = await readFile(path.join(directory, 'a.json'), 'utf8');
    await writeFile(path.join(directory, 'broken.json'), damage(good));
    const next = await open();
    expect([next.recall('a', text), next.podUids()]).toEqual(['x', ['a']]);
    const [entry] = logger.entries.filter(({ message }) => message.startsWith('The memory of a pod cannot be used'));
    expect(entry?.fields).toMatchObject({ file: path.join(directory, 'broken.json') });
    expect(String(entry?.fields?.error)).toContain(problem);
    expect((await readdir(directory)).sort()).toEqual(['.broken-broken.json', 'a.json']);
    await open();
    expect(await readdir(directory)).toEqual(['a.json']);
  });

  it.each([
    ['a directory', (place: string) => mkdir(path.join(place, 'inside'), { recursive: true })],
    ['a link', (place: string) => symlink('/etc/hostname', place)],
  ])('sets %s in the place of a file aside, so that the pod can be remembered again', async (_name, putInPlace) => {
    const { directory, logger, open } = await createWorld();
    await mkdir(directory, { recursive: true });
    await putInPlace(path.join(directory, 'a.json'));
    const podMemory = await open();
    expect(String(logger.entries[0]?.fields?.error)).toContain('no regular file');
    await podMemory.keep('a', text, 'x');
    expect((await open()).recall('a', text)).toBe('x');
    expect(await readdir(directory)).toEqual(['a.json']);
  });

  it('appends changes, and takes the file as it was before a change that was cut off', async () => {
    const { directory, open } = await createWorld();
    const podMemory = await open();
    const file = path.join(directory, 'a.json');
    await podMemory.keep('a', text, 'x');
    const { ino } = await stat(file);
    await podMemory.keep('a', other, 'y');
    await podMemory.keep('a', text, undefined);
    await podMemory.keep('a', other, 'z');
    expect((await stat(file)).ino).toBe(ino);
    const whole = await readFile(file, 'utf8');
    expect(whole.split('\n')).toHaveLength(5);
    const recalled = async (content: string) => {
      await writeFile(file, content);
      const next = await open();
      return [next.recall('a', text), next.recall('a', other)];
    };
    expect(await recalled(whole)).toEqual([undefined, 'z']);
    expect(await recalled(whole.slice(0, -1))).toEqual([undefined, 'y']);
    expect(await recalled(whole.slice(0, -20))).toEqual([undefined, 'y']);
    expect(await recalled(whole.replace('"y"', '"w"'))).toEqual([undefined, undefined]);
  });

  it('writes the file anew before its changes outgrow it', async () => {
    const { directory, open } = await createWorld();
    const podMemory = await open();
    for (let index = 0; index < 100; index++) await podMemory.keep('a', text, `${index}`.padEnd(500, 'x'));
    expect((await stat(path.join(directory, 'a.json'))).size).toBeLessThan(17_000);
    expect((await open()).recall('a', text)).toMatch(/^99x/);
  });

  it('refuses the format of another version', () => {
    const good = encodeMemoryLine('a', [['p', '{"1":2,"b":[]}']]);
    expect([...decodeMemoryFile(good).parts]).toEqual([['p', '{"1":2,"b":[]}']]);
    const memory = good.slice(good.indexOf('"memory":') + 9, -2).replace('"version":1', '"version":2');
    expect(() => decodeMemoryFile(`{"checksum":${crc32(memory)},"memory":${memory}}\n`)).toThrow('version is 2');
  });

  it('removes what a killed write left', async () => {
    const { directory, open } = await createWorld();
    await mkdir(directory, { recursive: true });
    await writeFile(path.join(directory, '.a.json.1-1'), 'half');
    expect((await open()).podUids()).toEqual([]);
    expect(await readdir(directory)).toEqual([]);
  });

  it('leaves the largest part out of a file that would become too large, and says so', async () => {
    const { logger, open } = await createWorld({ maxBytesPerPod: 1024 });
    const podMemory = await open();
    await podMemory.keep('a', text, 'small');
    await podMemory.keep('a', other, 'x'.repeat(2_000));
    expect(podMemory.recall('a', other)).toHaveLength(2_000);
    expect(logger.entries.at(-1)).toMatchObject({ fields: { podUid: 'a', parts: ['other'] } });
    const next = await open();
    expect([next.recall('a', text), next.recall('a', other)]).toEqual(['small', undefined]);
  });

  it('says once that the disk refuses, tries again with the next call, and says that it is over', async () => {
    const { directory, logger, open } = await createWorld();
    const podMemory = await open();
    await rm(directory, { recursive: true });
    await writeFile(directory, 'in the way');
    await podMemory.keep('a', text, '1');
    await podMemory.keep('a', text, '2');
    expect(podMemory.recall('a', text)).toBe('2');
    expect(logger.messages('error')).toHaveLength(1);
    await rm(directory);
    await podMemory.keep('a', text, '2');
    expect(logger.messages('info')).toEqual(['Pod memory can be written again']);
    expect((await open()).recall('a', text)).toBe('2');
  });

  it('does not start where it cannot have its directory', async () => {
    const { directory, open } = await createWorld();
    await writeFile(directory, 'in the way');
    await expect(open()).rejects.toThrow('EEXIST');
  });
});
