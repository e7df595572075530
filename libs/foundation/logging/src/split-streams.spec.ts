import { randomUUID } from 'node:crypto';
import { open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@podwright/time';
import { createLogger, type LoggerOptions } from './create-logger.js';

/** What a logger writes to stdout and to stderr. */
async function streams(options: Partial<LoggerOptions>): Promise<readonly string[]> {
  const files = [1, 2].map(() => path.join(tmpdir(), `log-${randomUUID()}`));
  const [stdout, stderr] = await Promise.all(files.map((file) => open(file, 'w')));
  const descriptors = { stdout: stdout?.fd ?? -1, stderr: stderr?.fd ?? -1 };
  const logger = createLogger({ clock: new VirtualClock(), descriptors, ...options });
  logger.info('fine');
  logger.with({ logger: 'x' }).debug(0, 'fine too');
  logger.warn('odd');
  logger.error('broken');
  await logger.flush();
  await Promise.all([stdout?.close(), stderr?.close()]);
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  await Promise.all(files.map((file) => rm(file)));
  return texts.map((text) => [...text.matchAll(/"(fine too|fine|odd|broken)"/g)].map(([, word]) => word).join());
}

describe('the streams of a logger', () => {
  it.each<[string, Partial<LoggerOptions>, readonly string[]]>([
    ['all on stderr', {}, ['', 'fine,fine too,odd,broken']],
    ['text split', { split: {} }, ['fine,fine too', 'odd,broken']],
    [
      'text split, with a buffer',
      { split: { infoBuffer: { bytes: 1_000, flushMs: 5_000, clock: new VirtualClock() } } },
      ['fine,fine too', 'odd,broken'],
    ],
    ['JSON split', { format: 'json', split: {} }, ['fine,fine too,odd', 'broken']],
  ])('%s', async (_, options, expected) => {
    expect(await streams(options)).toEqual(expected);
  });
});
