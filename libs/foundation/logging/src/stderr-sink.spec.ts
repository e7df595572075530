import { randomUUID } from 'node:crypto';
import { open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
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
});
