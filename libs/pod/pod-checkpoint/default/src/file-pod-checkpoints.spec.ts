import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { crc32 } from 'node:zlib';
import { createMemoryLogger } from '@podwright/logging';
import { eventually, VirtualClock } from '@podwright/time';
import type { PodCheckpointPart } from '@podwright/pod-checkpoint-interface';
import { describePodCheckpointsContract } from '@podwright/pod-checkpoint-interface/contract';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { decodeCheckpointFile, encodeCheckpointLine } from './checkpoint-file-format.js';
import { createFilePodCheckpoints } from './file-pod-checkpoints.module.js';

let base = '';
beforeAll(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'pod-checkpoint-'));
});
afterAll(() => rm(base, { recursive: true }));

const text: PodCheckpointPart<string> = {
  name: 'text',
  decode: (json) => (typeof json === 'string' ? json : undefined),
};
const other: PodCheckpointPart<string> = { ...text, name: 'other' };

async function createWorld(options: { maxBytesPerPod?: number } = {}) {
  const rootDir = await mkdtemp(path.join(base, 'root-'));
  const logger = createMemoryLogger();
  const clock = new VirtualClock();
  const open = async () => {
    const podCheckpoints = createFilePodCheckpoints({ clock, logger }, { rootDir, ...options });
    await podCheckpoints.start();
    return podCheckpoints;
  };
  return { directory: path.join(rootDir, 'pod_memory'), clock, logger, open };
}

describePodCheckpointsContract('FilePodCheckpoints', async () => {
  const { open } = await createWorld();
  return { podCheckpoints: await open(), kill: open };
});

describe('FilePodCheckpoints', () => {
  it('names the option that is out of range', () => {
    const deps = { clock: new VirtualClock(), logger: createMemoryLogger() };
    expect(() => createFilePodCheckpoints(deps, { maxBytesPerPod: 1 })).toThrow('maxBytesPerPod');
  });

  it('has one file per pod that nobody else can read', async () => {
    const { directory, open } = await createWorld();
    const podCheckpoints = await open();
    await Promise.all([podCheckpoints.write('a', text, 'x'), podCheckpoints.write('b', text, 'y')]);
    expect((await readdir(directory)).sort()).toEqual(['a.json', 'b.json']);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect((await stat(path.join(directory, 'a.json'))).mode & 0o777).toBe(0o600);
    await podCheckpoints.remove('a');
    expect(await readdir(directory)).toEqual(['b.json']);
  });

  it('writes at most twice for calls that come while one write runs', async () => {
    const { directory, open } = await createWorld();
    const podCheckpoints = await open();
    const seen: string[] = [];
    const first = podCheckpoints.write('a', text, '1').then(async () => {
      seen.push(await readFile(path.join(directory, 'a.json'), 'utf8'));
    });
    // The write takes what is there when it begins, which is after this turn.
    await Promise.resolve();
    await Promise.all([first, ...['2', '3', '4'].map((value) => podCheckpoints.write('a', text, value))]);
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
    const podCheckpoints = await open();
    await podCheckpoints.write('a', text, 'x');
    const good = await readFile(path.join(directory, 'a.json'), 'utf8');
    await writeFile(path.join(directory, 'broken.json'), damage(good));
    const next = await open();
    expect([next.read('a', text), next.podUids()]).toEqual(['x', ['a']]);
    const [entry] = logger.entries.filter(({ message }) =>
      message.startsWith('The checkpoint of a pod cannot be used'),
    );
    expect(entry?.fields).toMatchObject({ file: path.join(directory, 'broken.json') });
    expect(String(entry?.fields?.error)).toContain(problem);
    expect((await readdir(directory)).sort()).toEqual(['.broken-broken.json', 'a.json']);
    await open();
    expect(await readdir(directory)).toEqual(['a.json']);
  });

  it.each([
    ['a directory', (place: string) => mkdir(path.join(place, 'inside'), { recursive: true })],
    ['a link', (place: string) => symlink('/etc/hostname', place)],
  ])('sets %s in the place of a file aside, so that the pod can have a checkpoint again', async (_name, putInPlace) => {
    const { directory, logger, open } = await createWorld();
    await mkdir(directory, { recursive: true });
    await putInPlace(path.join(directory, 'a.json'));
    const podCheckpoints = await open();
    expect(String(logger.entries[0]?.fields?.error)).toContain('no regular file');
    await podCheckpoints.write('a', text, 'x');
    expect((await open()).read('a', text)).toBe('x');
    expect(await readdir(directory)).toEqual(['a.json']);
  });

  it('appends changes, and takes the file as it was before a change that was cut off', async () => {
    const { directory, open } = await createWorld();
    const podCheckpoints = await open();
    const file = path.join(directory, 'a.json');
    await podCheckpoints.write('a', text, 'x');
    const { ino } = await stat(file);
    await podCheckpoints.write('a', other, 'y');
    await podCheckpoints.write('a', text, undefined);
    await podCheckpoints.write('a', other, 'z');
    expect((await stat(file)).ino).toBe(ino);
    const whole = await readFile(file, 'utf8');
    expect(whole.split('\n')).toHaveLength(5);
    const readBack = async (content: string) => {
      await writeFile(file, content);
      const next = await open();
      return [next.read('a', text), next.read('a', other)];
    };
    expect(await readBack(whole)).toEqual([undefined, 'z']);
    expect(await readBack(whole.slice(0, -1))).toEqual([undefined, 'y']);
    expect(await readBack(whole.slice(0, -20))).toEqual([undefined, 'y']);
    expect(await readBack(whole.replace('"y"', '"w"'))).toEqual([undefined, undefined]);
  });

  it('writes the file anew before its changes outgrow it', async () => {
    const { directory, open } = await createWorld();
    const podCheckpoints = await open();
    for (let index = 0; index < 100; index++) await podCheckpoints.write('a', text, `${index}`.padEnd(500, 'x'));
    expect((await stat(path.join(directory, 'a.json'))).size).toBeLessThan(17_000);
    expect((await open()).read('a', text)).toMatch(/^99x/);
  });

  it('refuses the format of another version', () => {
    const good = encodeCheckpointLine('a', [['p', '{"1":2,"b":[]}']]);
    expect([...decodeCheckpointFile(good).parts]).toEqual([['p', '{"1":2,"b":[]}']]);
    const body = good.slice(good.indexOf('"memory":') + 9, -2).replace('"version":1', '"version":2');
    expect(() => decodeCheckpointFile(`{"checksum":${crc32(body)},"memory":${body}}\n`)).toThrow('version is 2');
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
    const podCheckpoints = await open();
    await podCheckpoints.write('a', text, 'small');
    await podCheckpoints.write('a', other, 'x'.repeat(2_000));
    expect(podCheckpoints.read('a', other)).toHaveLength(2_000);
    expect(logger.entries.at(-1)).toMatchObject({ fields: { podUid: 'a', parts: ['other'] } });
    const next = await open();
    expect([next.read('a', text), next.read('a', other)]).toEqual(['small', undefined]);
  });

  it('says once that the disk refuses, tries again with the next call for any pod, and says that it is over', async () => {
    const { directory, logger, open } = await createWorld();
    const podCheckpoints = await open();
    await rm(directory, { recursive: true });
    await writeFile(directory, 'in the way');
    await podCheckpoints.write('a', text, '1');
    await podCheckpoints.write('a', text, '2');
    await podCheckpoints.write('b', text, '3');
    expect(podCheckpoints.read('a', text)).toBe('2');
    expect(logger.messages('error')).toHaveLength(1);
    await rm(directory);
    await podCheckpoints.write('a', text, '2');
    expect(logger.messages('info')).toEqual(['Pod checkpoints can be written again']);
    // The other pod had no further change.
    await podCheckpoints.stop();
    const next = await open();
    expect([next.read('a', text), next.read('b', text)]).toEqual(['2', '3']);
  });

  it('tries again by itself when no pod changes any more, ever more seldom', async () => {
    const { directory, clock, logger, open } = await createWorld();
    const podCheckpoints = await open();
    await rm(directory, { recursive: true });
    await writeFile(directory, 'in the way');
    await Promise.all([podCheckpoints.write('a', text, '1'), podCheckpoints.write('b', text, '2')]);
    await clock.advance(1_000);
    await eventually(() => clock.pendingTimers === 1);
    await rm(directory);
    await clock.advance(1_999);
    expect([clock.pendingTimers, logger.messages('info')]).toEqual([1, []]);
    await clock.advance(1);
    await eventually(() => logger.messages('info').includes('Pod checkpoints can be written again'));
    await podCheckpoints.stop();
    const next = await open();
    expect([next.read('a', text), next.read('b', text), clock.pendingTimers]).toEqual(['1', '2', 0]);
  });

  it('has a pod whose file cannot be removed until it is removed, so that the next pass of the housekeeping tries again', async () => {
    const { directory, open } = await createWorld();
    const podCheckpoints = await open();
    await podCheckpoints.write('a', text, '1');
    const file = path.join(directory, 'a.json');
    await rm(file);
    await mkdir(file);
    await podCheckpoints.remove('a');
    expect([podCheckpoints.podUids(), podCheckpoints.read('a', text)]).toEqual([['a'], undefined]);
    await rm(file, { recursive: true });
    await podCheckpoints.remove('a');
    expect(podCheckpoints.podUids()).toEqual([]);
  });

  it('does not start where it cannot have its directory', async () => {
    const { directory, open } = await createWorld();
    await writeFile(directory, 'in the way');
    await expect(open()).rejects.toThrow('EEXIST');
  });
});
