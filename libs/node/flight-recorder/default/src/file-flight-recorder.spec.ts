import { appendFile, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { messageOf } from '@podwright/errors';
import type { FlightRecorder } from '@podwright/flight-recorder-interface';
import { describeFlightRecorderContract } from '@podwright/flight-recorder-interface/contract';
import { createHarness, recorderOnDisk } from './fixtures/contract-harness.js';
import { eventually } from '@podwright/time';
import { readRecording } from './read/read-recording.js';

describeFlightRecorderContract('FileFlightRecorder', createHarness);

const rootOf = (directory: string): string => path.dirname(directory);

describe('a recording on disk', () => {
  it('is for root only, and can be read up to where a kill has torn it', async () => {
    const { flightRecorder, askRuntime, clock, directory } = await recorderOnDisk();
    await flightRecorder.start();
    for (const id of ['c1', 'c2']) {
      await askRuntime(id, 'answers');
      const before = flightRecorder.writtenBytes;
      await clock.advance(1_000);
      await eventually(() => flightRecorder.writtenBytes > before);
    }
    const file = flightRecorder.file() ?? '';
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect(await readRecording(file)).toMatchObject({ torn: false, lines: [{ t: 'call' }, { t: 'call' }] });
    await truncate(file, (await stat(file)).size - 20);
    expect(await readRecording(file)).toMatchObject({ torn: true, lines: [{ t: 'call' }] });
    await flightRecorder.stop();
    expect(clock.pendingTimers).toBe(0);
  });

  it('keeps the newest segments below its limit, and is read from the oldest of them, which begins with a snapshot', async () => {
    const small = { maxDiskBytes: 64 * 1024 };
    const { flightRecorder, askRuntime, clock, directory } = await recorderOnDisk(small);
    await flightRecorder.start();
    await askRuntime('stays', 'answers');
    for (let batch = 0; batch < 600; batch++) {
      for (let nth = 0; nth < 5; nth++) await askRuntime(`c${batch}-${nth}`, 'answers');
      await askRuntime('stays', 'answers');
      await clock.advance(1_000);
      await flightRecorder.written();
    }
    await flightRecorder.stop();
    const names = (await readdir(directory)).sort();
    expect(names.length).toBeGreaterThan(1);
    expect(names).not.toContain('0000000001-000001.jsonl.gz');
    const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(directory, name))).size));
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(small.maxDiskBytes);
    const { header, lines } = await readRecording(directory);
    expect(header.at).toBeGreaterThan(100_000);
    const about = (id: string) => lines.filter((line) => line.t === 'call' && line.key.includes(`"${id}"`));
    expect(about('stays')[0]).toMatchObject({ snapshot: true, answer: { status: { id: 'stays' } } });
    expect(
      about('stays')
        .slice(1)
        .every((line) => 'same' in line && line.at > 0),
    ).toBe(true);
    expect(about('c599-4')).toHaveLength(1);
    // In one file, as somebody has put them together, they are the same recording.
    const joined = path.join(directory, 'joined');
    for (const name of names) await appendFile(joined, await readFile(path.join(directory, name)));
    expect(await readRecording(joined)).toEqual(await readRecording(directory));
    // Where one is missing, the recording begins after it.
    await rm(path.join(directory, names.at(-2) ?? ''));
    expect((await readRecording(directory)).header.at).toBeGreaterThan(header.at ?? 0);
    const next = await recorderOnDisk(small, rootOf(directory));
    await next.flightRecorder.start();
    await next.flightRecorder.stop();
    expect(await readRecording(directory)).toMatchObject({ lines: [{ t: 'end' }] });
  });

  it('begins a segment when nothing has come for a moment, or anyway when the last one is half as long again', async () => {
    const { flightRecorder, askRuntime, clock, directory } = await recorderOnDisk({ maxDiskBytes: 64 * 1024 });
    await flightRecorder.start();
    const segments = async () => (await readdir(directory)).sort().map((name) => path.join(directory, name));
    const askUntil = async (isEnough: () => Promise<boolean>): Promise<void> => {
      for (let nth = 0; !(await isEnough()); nth++) {
        await askRuntime(`c${clock.now()}-${nth}`, 'answers');
        await clock.advance(100);
        if (nth % 10 === 0) await flightRecorder.written();
      }
    };
    const bytes = async (file = '') => (await stat(file).catch(() => ({ size: 0 }))).size;
    await askUntil(async () => (await bytes(flightRecorder.file())) > 9 * 1024);
    expect(await segments()).toHaveLength(1);
    const quietAt = clock.now();
    await clock.advance(1_000);
    await askRuntime('next', 'answers');
    await clock.advance(1_000);
    await flightRecorder.written();
    const [first, second] = await segments();
    expect((await readRecording(second ?? '')).header.startedAtMs).toBeGreaterThanOrEqual(quietAt + 200);
    await askUntil(async () => (await segments()).length > 2);
    expect(await bytes(first)).toBeLessThan(10 * 1024);
    expect(await bytes(second)).toBeGreaterThanOrEqual(12 * 1024);
    await flightRecorder.stop();
    expect(clock.pendingTimers).toBe(0);
  });

  it('keeps what a disk does not take, says so once, and writes it later', async () => {
    const { flightRecorder, askRuntime, clock, directory, logger } = await recorderOnDisk();
    await writeFile(directory, '');
    await flightRecorder.start();
    for (const id of ['c1', 'c2', 'c3']) {
      await askRuntime(id, 'answers');
      await flushed(flightRecorder);
    }
    expect(logger.messages('error')).toHaveLength(1);
    await expect(flushed(flightRecorder)).resolves.toBe('nothing is recorded yet');
    await rm(directory);
    await clock.advance(60_000);
    await flightRecorder.stop();
    expect(clock.pendingTimers).toBe(0);
    expect(logger.messages('info').at(-1)).toBe('The recording is written again');
    expect(await readdir(directory)).toEqual(['0000000001-000001.jsonl.gz']);
    const { lines, torn } = await readRecording(flightRecorder.file() ?? '');
    expect([torn, lines.map(({ t }) => t)]).toEqual([false, ['call', 'call', 'call', 'end']]);
  });

  it('counts what does not fit into memory meanwhile, behind what does', async () => {
    const { flightRecorder, askRuntime, clock, directory } = await recorderOnDisk({ bufferBytes: 64 * 1024 });
    await writeFile(directory, '');
    await flightRecorder.start();
    await askRuntime('first', 'answers');
    await flushed(flightRecorder);
    for (let nth = 0; nth < 999; nth++) await askRuntime(`c${nth}`, 'answers');
    await rm(directory);
    await clock.advance(60_000);
    await flightRecorder.stop();
    const { lines } = await readRecording(flightRecorder.file() ?? '');
    const calls = lines.filter(({ t }) => t === 'call').length;
    expect(lines.slice(calls)).toMatchObject([{ t: 'gap', cause: 'disk', lines: 1_000 - calls }, { t: 'end' }]);
  });
});

/** Waits for the writes so far; the clock does not see the thread that compresses. Resolves with why there is no file. */
async function flushed(flightRecorder: FlightRecorder): Promise<string | undefined> {
  try {
    for await (const chunk of flightRecorder.read()) void chunk;
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

describe('readRecording', () => {
  it.each([
    ['nothing', Buffer.alloc(0), 'the file is empty'],
    ['foreign', Buffer.from('PK\u0003\u0004'), 'is no recording: it is neither gzip nor JSON lines'],
    ['json', Buffer.from('{"kind":"Pod"}\n'), 'is no recording: its first line is no header of one'],
    [
      'newer',
      Buffer.from('{"t":"recording","version":9,"startedAtMs":1}\n'),
      'has version 9 of the format, this program reads up to 2: replay it with the kubelet that wrote it',
    ],
  ])('refuses a file that is %s', async (name, content, message) => {
    const { directory } = await recorderOnDisk();
    await mkdir(directory);
    const file = path.join(directory, name);
    await writeFile(file, content);
    await expect(readRecording(file)).rejects.toThrow(`${file}: ${message}`);
  });

  it('names a file that is missing, and stops at a line that is no JSON', async () => {
    const { flightRecorder, askRuntime, clock, directory } = await recorderOnDisk();
    await expect(readRecording(path.dirname(directory))).rejects.toThrow('there is no recording in this directory');
    await expect(readRecording('/nowhere/a')).rejects.toThrow('/nowhere/a: there is no such file');
    await mkdir(directory);
    const file = path.join(directory, 'plain');
    await writeFile(file, '{"t":"recording","version":1,"startedAtMs":1}\n{"t":"end","at":1}\n');
    await appendFile(file, '{"t":"en\n{"t":"end","at":2}\n');
    expect(await readRecording(file)).toMatchObject({ torn: true, lines: [{ t: 'end', at: 1 }] });
    await flightRecorder.start();
    await askRuntime('c1', 'answers');
    await flightRecorder.stop();
    expect(clock.pendingTimers).toBe(0);
  });
});
