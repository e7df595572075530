import { describe, expect, it } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import { VirtualClock } from '@podwright/time';
import type { HttpGet } from './http-get.js';
import { HttpSource } from './http-source.js';
import { createStaticPodReader } from './static-pod-reader.js';

const pod = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'busybox' }] },
});
const url = 'http://config.example/pods';

async function open(get: HttpGet) {
  const clock = new VirtualClock();
  const logger = createMemoryLogger();
  const source = new HttpSource(
    { clock, logger, reader: createStaticPodReader('node1'), get },
    { url, headers: { 'X-Token': ['a', 'b'] }, checkFrequencyMs: 20_000 },
  );
  const sets: string[][] = [];
  await source.open((pods) => sets.push(pods.map(({ metadata }) => metadata.name ?? '')));
  await clock.advance(0);
  return { clock, logger, source, sets };
}

describe('HttpSource', () => {
  it('goes through the answers of its URL', async () => {
    const answers: (readonly [number, string])[] = [
      [200, JSON.stringify(pod('a'))],
      [200, JSON.stringify(pod('a'))],
      [500, 'oops'],
      [200, JSON.stringify({ apiVersion: 'v1', kind: 'PodList', items: [pod('a'), pod('b')] })],
      [200, 'nonsense'],
      [200, JSON.stringify({ apiVersion: 'v1', kind: 'PodList', items: [pod('a'), pod('Bad_Name')] })],
      [200, ''],
      [200, JSON.stringify(pod('c'))],
    ];
    const headers: unknown[] = [];
    const { clock, sets, logger, source } = await open(async (_url, options) => {
      headers.push(options.headers);
      const [status, text] = answers.shift() ?? [404, ''];
      return { status, statusText: 'Text', body: Buffer.from(text) };
    });
    for (let i = 0; i < 7; i++) await clock.advance(20_000);
    expect(sets).toEqual([['a-node1'], ['a-node1', 'b-node1'], [], ['c-node1']]);
    expect(headers[0]).toEqual({ 'X-Token': ['a', 'b'] });
    expect(
      logger.messages('error').map((text) => text.replace('static pods cannot be read from their URL: ', '')),
    ).toEqual([
      `${url}: 500 Text`,
      expect.stringContaining(url),
      expect.stringContaining('Bad_Name'),
      `zero-length data received from ${url}`,
    ]);
    await source.close();
  });

  it('gives up an answer after 10 s, says each problem once, and goes on', async () => {
    let calls = 0;
    const { clock, logger, sets, source } = await open(() => (calls++, new Promise(() => undefined)));
    await clock.advance(10_000);
    await clock.advance(60_000);
    expect(calls).toBe(3);
    expect(logger.messages('error')).toHaveLength(1);
    expect(sets).toEqual([]);
    await source.close();
    expect(clock.pendingTimers).toBe(0);
  });

  it('stops in the middle of a request', async () => {
    const { source } = await open(() => new Promise(() => undefined));
    await Promise.all([source.close(), source.close()]);
  });
});
