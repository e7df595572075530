import { appendFile, mkdir, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
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

  it('ends at half of the limit, says so, and makes room for the next one', async () => {
    const small = { maxDiskBytes: 64 * 1024 };
    const { flightRecorder, askRuntime, clock, directory, logger } = await recorderOnDisk(small);
    await flightRecorder.start();
    for (let batch = 0; batch < 600; batch++) {
      for (let nth = 0; nth < 5; nth++) await askRuntime(`c${batch}-${nth}`, 'answers');
      await clock.advance(1_000);
    }
    await eventually(() => 'detail' in flightRecorder.healthy());
    await flightRecorder.stop();
    const file = flightRecorder.file() ?? '';
    expect((await stat(file)).size).toBeLessThan(40 * 1024);
    expect((await readRecording(file)).lines.at(-1)).toMatchObject({ t: 'gap', cause: 'full' });
    expect(logger.entries.filter(({ message }) => message.includes('has reached its limit'))).toHaveLength(1);
    expect(flightRecorder.healthy()).toEqual({ ok: true, detail: 'the recording has reached its limit' });
    const next = await recorderOnDisk(small, rootOf(directory));
    await next.flightRecorder.start();
    await next.flightRecorder.stop();
    expect(await readdir(directory)).toEqual(['0000000002.jsonl.gz']);
    await writeFile(path.join(directory, '0000000001.jsonl.gz'), 'older');
    expect(await readRecording(directory)).toMatchObject({ lines: [{ t: 'end' }] });
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
      'has version 9 of the format, this program reads up to 1: replay it with the kubelet that wrote it',
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
