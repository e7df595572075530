import { randomUUID } from 'node:crypto';
import { open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { eventually, VirtualClock } from '@podwright/time';
import { createStreamSink } from './stderr-sink.js';

describe('stream sink', () => {
  it('writes all lines in order and drops past its bound, saying so', async () => {
    const file = path.join(tmpdir(), `sink-${randomUUID()}`);
    const handle = await open(file, 'w');
    const sink = createStreamSink(handle.fd);
    for (let i = 0; i < 1000; i++) sink.write(`line ${i}`);
    await sink.flush();
    const big = 'x'.repeat(1024 * 1024);
    for (let i = 0; i < 6; i++) sink.write(big);
    await sink.flush();
    await handle.close();
    const lines = (await readFile(file, 'utf8')).split('\n');
    await rm(file);
    expect(lines.slice(0, 1000)).toEqual(Array.from({ length: 1000 }, (_, i) => `line ${i}`));
    expect(lines.slice(1000).map((line) => (line.length > 1000 ? 'big' : line))).toEqual([
      'big',
      'big',
      'big',
      '3 log lines dropped: the reader is too slow',
      '',
    ]);
  });

  it('gives up on a broken descriptor', async () => {
    const sink = createStreamSink(9999);
    sink.write('lost');
    await sink.flush();
  });

  it('keeps lines in its buffer until one does not fit, or for a time, or until it is flushed', async () => {
    const file = path.join(tmpdir(), `sink-${randomUUID()}`);
    const handle = await open(file, 'w');
    const clock = new VirtualClock();
    const sink = createStreamSink(handle.fd, { bytes: 20, flushMs: 5_000, clock });
    const written = (): Promise<string> => readFile(file, 'utf8');
    sink.write('a'.repeat(9));
    await clock.advance(4_999);
    sink.write('b');
    expect([clock.pendingTimers, await written()]).toEqual([1, '']);
    await clock.advance(1);
    await eventually(async () => (await written()) === 'aaaaaaaaa\nb\n');
    sink.write('c'.repeat(9));
    sink.write('d'.repeat(15));
    await eventually(async () => (await written()).includes(`${'c'.repeat(9)}\n${'d'.repeat(15)}\n`));
    sink.write('e');
    await sink.flush();
    expect(await written()).toMatch(/\ne\n$/);
    expect(clock.pendingTimers).toBe(0);
    await handle.close();
    await rm(file);
  });
});
