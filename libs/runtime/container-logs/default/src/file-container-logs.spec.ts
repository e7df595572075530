import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { appendFile, mkdir, readdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ContainerLogOptions } from '@podwright/container-logs-interface';
import { collect, LogReader } from '@podwright/container-logs-interface/contract';
import { LogHarness } from './fixtures/log-harness.js';

let harness: LogHarness;

beforeEach(async () => {
  harness = await LogHarness.create();
});

afterEach(async () => {
  expect(await harness.held()).toBe(0);
  await harness.dispose();
});

const open = (options: ContainerLogOptions = {}): Promise<AsyncIterable<Uint8Array>> =>
  harness.containerLogs.open({
    pod: harness.pod,
    status: harness.status(),
    container: 'app',
    options,
    signal: new AbortController().signal,
  });
const read = async (options: ContainerLogOptions = {}): Promise<string> => collect(await open(options));

describe('where logs are read', () => {
  const secret = 'node secret';
  const notFollowed = 'links are not followed';

  it.each<[string, (outside: string) => Promise<void>, string]>([
    ['a link in place of the file', (outside) => symlink(join(outside, '0.log'), harness.logPath), notFollowed],
    [
      'a link in place of the folder',
      async (outside) => {
        await rm(harness.folder, { recursive: true });
        await symlink(outside, harness.folder);
      },
      notFollowed,
    ],
    [
      "a link in place of the pod's folder",
      async (outside) => {
        const podFolder = join(harness.folder, '..');
        await rm(podFolder, { recursive: true });
        await mkdir(join(outside, 'app'));
        await rename(join(outside, '0.log'), join(outside, 'app', '0.log'));
        await symlink(outside, podFolder);
      },
      notFollowed,
    ],
    ['a folder', () => mkdir(harness.logPath), 'it is no regular file'],
    ['a pipe', async () => void (await promisify(execFile)('mkfifo', [harness.logPath])), 'it is no regular file'],
  ])('refuses %s', async (_name, plant, problem) => {
    const outside = join(harness.root, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, '0.log'), `2026-01-01T00:00:00Z stdout F ${secret}\n`);
    await rm(harness.logPath);
    await plant(outside);
    for (const forget of [false, true]) {
      if (forget) {
        await harness.exit();
        await harness.forget();
      }
      await expect(read()).rejects.toMatchObject({
        code: 'failed-precondition',
        message: expect.stringMatching(new RegExp(`^failed to open log file ".*": ${problem}$`)),
      });
    }
  });

  it('does not follow a link that a rotation seems to have left', async () => {
    await harness.write('one\n');
    const reader = new LogReader(await open());
    await rm(harness.logPath);
    await symlink('/etc/hostname', harness.logPath);
    expect(await reader.next()).toBe('one\n');
    await expect(reader.next()).rejects.toThrow(notFollowed);
  });

  it('may be reached through links above the folder of all logs', async () => {
    await harness.write('one\n');
    await rename(join(harness.root, 'pods'), join(harness.root, 'elsewhere'));
    await symlink(join(harness.root, 'elsewhere'), join(harness.root, 'pods'));
    expect(await read()).toBe('one\n');
  });

  it.each(['/etc/hostname', '../../other/app/0.log', '..', '/'])(
    'is not outside of the folder of the pod: %s',
    async (path) => {
      Object.assign(harness.instance, { logPath: path.startsWith('/') ? path : join(harness.folder, path) });
      await expect(read()).rejects.toThrow("it is outside of the pod's log folder");
    },
  );

  it.each([
    ['asked', 'failed to try resolving symlinks in path "LOG": lstat LOG: no such file or directory'],
    ['seen', 'failed to try resolving symlinks in path "LOG": lstat LOG: no such file or directory'],
    ['away', 'unable to retrieve container logs for test://c0'],
  ] as const)('tells that there is no file when the runtime is %s', async (runtime, message) => {
    harness.runtime = runtime;
    await rm(harness.logPath);
    await expect(read()).rejects.toMatchObject({
      code: 'not-found',
      message: message.replaceAll('LOG', harness.logPath),
    });
  });

  it('is what the link for log collectors names when the runtime has no record', async () => {
    await harness.write('one\n');
    await rename(harness.logPath, join(harness.folder, '7.log'));
    await mkdir(join(harness.root, 'containers'));
    const link = join(harness.root, 'containers', 'p_ns_app-c0.log');
    await symlink(join(harness.folder, '7.log'), link);
    await harness.exit();
    await harness.forget();
    expect(await read()).toBe('one\n');
    await rm(link);
    await symlink('/etc/hostname', link);
    await expect(read()).rejects.toThrow("it is outside of the pod's log folder");
  });

  it('is where the last rotation put it while there is no new file yet', async () => {
    await harness.write('one\n');
    await harness.rename();
    expect(await read()).toBe('one\n');
    await harness.reopen();
    expect(await read()).toBe('');
  });
});

describe('a followed log', () => {
  it('is followed in the old file for as long as nothing is in the new one', async () => {
    const rest = new LogReader(await open({ follow: true })).rest();
    await harness.write('one\n');
    await harness.rename();
    await writeFile(harness.logPath, '');
    await harness.pass(10_000);
    await harness.write('late ');
    await harness.pass(10_000);
    await harness.reopen();
    await harness.write('end\n');
    await harness.pass(2000);
    await harness.exit();
    await harness.pass(2000);
    expect(await rest).toBe('one\nlate end\n');
  });

  it('is read from the new file when nothing has come into the old one for a while', async () => {
    const rest = new LogReader(await open({ follow: true })).rest();
    await harness.write('one\n');
    await harness.rename();
    const [old = ''] = await readdir(harness.folder);
    await harness.reopen();
    await harness.write('end\n');
    for (const part of ['late ', 'and ', 'later ']) {
      await harness.pass(150);
      await appendFile(join(harness.folder, old), `2026-01-01T00:00:00Z stdout P ${part}\n`);
    }
    await harness.pass(2000);
    await harness.exit();
    await harness.pass(2000);
    expect(await rest).toBe('one\nlate and later end\n');
  });

  it('asks the runtime only for what the kubelet has not seen, and at most once a second', async () => {
    const rest = new LogReader(await open({ follow: true })).rest();
    await harness.pass(5000);
    expect(harness.calls).toBeGreaterThan(4);
    expect(harness.calls).toBeLessThan(9);
    harness.runtime = 'seen';
    const { calls } = harness;
    await harness.pass(5000);
    expect(harness.calls).toBe(calls);
    await harness.write('end\n');
    await harness.exit();
    await harness.pass(2000);
    expect(await rest).toBe('end\n');
  });

  it('goes on while the runtime is away', async () => {
    const reader = new LogReader(await open({ follow: true }));
    harness.runtime = 'away';
    const rest = reader.rest();
    await harness.pass(60_000);
    await harness.write('one\n');
    await harness.pass(2000);
    harness.runtime = 'asked';
    await harness.exit();
    await harness.pass(2000);
    expect(await rest).toBe('one\n');
  });

  it('gives what the runtime still writes to the old file when the new one is there', async () => {
    const rest = new LogReader(await open({ follow: true })).rest();
    await harness.write('one\n');
    await harness.pass(1500);
    await harness.rename();
    await writeFile(harness.logPath, '');
    await harness.pass(100);
    await harness.write('two\n');
    await harness.pass(100);
    await harness.reopen();
    await harness.write('three\n');
    await harness.pass(2000);
    await harness.exit();
    await harness.pass(2000);
    expect(await rest).toBe('one\ntwo\nthree\n');
  });

  it('waits for the end of a line, and gives one without end when the container has ended', async () => {
    const reader = new LogReader(await open({ follow: true }));
    await harness.writeRaw('2026-01-01T00:00:00Z stdout F on');
    const first = reader.next();
    await harness.pass(3000);
    await harness.writeRaw('e\n2026-01-01T00:00:00Z stdout F tw');
    await harness.pass(3000);
    expect(await first).toBe('one\n');
    await harness.exit();
    const rest = reader.rest();
    await harness.pass(3000);
    expect(await rest).toBe('tw');
  });

  it('begins anew when the file was cut', async () => {
    await harness.write('one\n');
    await harness.write('two\n');
    const rest = new LogReader(await open({ follow: true })).rest();
    await harness.pass(1500);
    await truncate(harness.logPath, 0);
    await harness.write('three\n');
    await harness.pass(1500);
    await harness.exit();
    await harness.pass(2000);
    expect(await rest).toBe('one\ntwo\nthree\n');
  });

  it('fails when its first line comes and is none', async () => {
    const rest = new LogReader(await open({ follow: true })).rest().catch((error: unknown) => error);
    await harness.writeRaw('nonsense\n');
    await harness.pass(2000);
    expect(await rest).toMatchObject({
      message: 'failed to get parse function: unsupported log format: "nonsense\\n"',
    });
  });

  it('begins, and then fails, when there is no file, or one of another format', async () => {
    await harness.writeRaw('nonsense\n');
    const other = new LogReader(await open({ follow: true }));
    await expect(other.next()).rejects.toThrow('unsupported log format: "nonsense\\n"');
    await rm(harness.logPath);
    const none = new LogReader(await open({ follow: true }));
    await expect(none.next()).rejects.toThrow('failed to try resolving symlinks');
    harness.runtime = 'away';
    const forgotten = new LogReader(await open({ follow: true }));
    await expect(forgotten.next()).rejects.toThrow('unable to retrieve container logs for test://c0');
  });

  it('is woken by a change in its folder', async () => {
    const reader = new LogReader(await open({ follow: true }));
    const line = reader.next();
    // The virtual clock stands still from here on.
    await harness.pass(0);
    await harness.writeRaw('2026-01-01T00:00:00Z stdout F one\n');
    expect(await line).toBe('one\n');
    await harness.exit();
    const rest = reader.rest();
    await harness.pass(2000);
    expect(await rest).toBe('');
  });
});

describe('a large log', () => {
  const lines = 40_000;
  const line = (number: number): string => `2026-01-01T00:00:00.5Z stdout F ${String(number).padStart(100, '0')}\n`;

  beforeEach(async () => {
    for (let start = 0; start < lines; start += 10_000) {
      const part = Array.from({ length: 10_000 }, (_, index) => line(start + index));
      await appendFile(harness.logPath, part.join(''));
    }
  });

  it('is given in pieces of bounded size, in order', async () => {
    let next = 0;
    let rest = '';
    for await (const piece of await open()) {
      expect(piece.length).toBeLessThan(256 * 1024);
      const parts = (rest + Buffer.from(piece).toString()).split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) if (Number(part) !== next++) throw new Error(`line ${part} out of order`);
    }
    expect([next, rest]).toEqual([lines, '']);
  });

  it.each([1, 500, 5000, lines - 1, lines, lines + 1])('gives its last %d lines', async (tailLines) => {
    const text = await read({ tailLines });
    const expected = Math.min(tailLines, lines);
    const got = text.split('\n').slice(0, -1);
    expect([got.length, Number(got[0])]).toEqual([expected, lines - expected]);
  });
});
