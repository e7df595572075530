import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import { VirtualClock } from '@podwright/time';
import { returnExecutablePages, thisProcess, unchangedMappings, type PagesOfProcess } from './executable-pages.js';

const mapping = (line: string, anonymousKb = 0): string =>
  `${line}\nSize:   4 kB\nRss:   4 kB\nAnonymous:   ${anonymousKb} kB\nVmFlags: rd mr mw me\n`;
const smaps = [
  mapping('00400000-00402000 r--p 00000000 08:01 77                        /usr/bin/a kubelet'),
  mapping('00402000-00500000 r-xp 00002000 08:01 77                        /usr/bin/a kubelet'),
  mapping('00500000-00501000 r--p 00100000 08:01 77                        /usr/bin/a kubelet', 4),
  mapping('00501000-00502000 rw-p 00101000 08:01 77                        /usr/bin/a kubelet'),
  mapping('7f0000000000-7f0000010000 r-xp 00000000 08:01 78                /lib/libc.so.6'),
  mapping('7f0000020000-7f0000030000 r--p 00000000 00:00 0 '),
].join('');

it('finds where a file is mapped that is not written to, and whose pages nobody has changed', () => {
  expect(unchangedMappings(smaps, '/usr/bin/a kubelet')).toEqual([
    { start: 0x400000, end: 0x402000 },
    { start: 0x402000, end: 0x500000 },
  ]);
});

describe('pages of the executable', () => {
  const harness = (more: Partial<PagesOfProcess> = {}) => {
    const clock = new VirtualClock();
    const logger = createMemoryLogger();
    const stop = new AbortController();
    const seen = { cpuUs: 500_000, returned: 0 };
    const process = {
      cpuUs: () => seen.cpuUs,
      readMappings: async () => smaps,
      readExecutable: async () => '/usr/bin/a kubelet',
      prepare: async () => () => void seen.returned++,
      ...more,
    };
    const ended = returnExecutablePages({ clock, logger, process }, stop.signal);
    return { clock, logger, seen, stop, ended };
  };

  it('are given back after work, and once more at rest', async () => {
    const { clock, seen, stop, ended } = harness();
    await clock.advance(2_000);
    expect(seen.returned).toBe(1); // what the start has used
    seen.cpuUs += 240_000;
    await clock.advance(1_000);
    expect(seen.returned).toBe(1);
    seen.cpuUs += 30_000;
    await clock.advance(1_000);
    expect(seen.returned).toBe(2); // 270 ms of work
    seen.cpuUs += 60_000;
    await clock.advance(1_000);
    expect(seen.returned).toBe(2);
    await clock.advance(1_000);
    expect(seen.returned).toBe(3); // at rest, 60 ms later
    seen.cpuUs += 40_000;
    await clock.advance(60_000);
    expect(seen.returned).toBe(3);
    stop.abort();
    await ended;
  });

  it.each<[string, Partial<PagesOfProcess>]>([
    ['no module can be loaded', { prepare: () => Promise.reject(new Error('failed to map segment')) }],
    ['they are not found', { readExecutable: async () => '/usr/bin/another' }],
  ])('stay where %s, which the log says', async (_, more) => {
    const { clock, logger, ended } = harness(more);
    await clock.advance(1_000);
    await ended;
    expect(logger.entries).toMatchObject([{ message: 'Pages of the executable stay in memory' }]);
    expect(clock.pendingTimers).toBe(0);
  });
});

const onX64 = process.platform === 'linux' && process.arch === 'x64' ? it : it.skip;

onX64('of a real process leave its memory, and come again', async () => {
  const ranges = unchangedMappings(await thisProcess.readMappings(), await thisProcess.readExecutable());
  const giveBack = await thisProcess.prepare(ranges);
  const first = ranges.find(({ end, start }) => end - start > 2 ** 24);
  const residentKb = async (): Promise<number> => {
    const mappings = (await readFile('/proc/self/smaps', 'utf8')).split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
    const found = mappings.find((each) => each.startsWith(`${first?.start.toString(16).padStart(8, '0')}-`)) ?? '';
    return Number(/^Rss: +(\d+) kB$/m.exec(found)?.[1]);
  };
  const before = await residentKb();
  giveBack();
  const after = await residentKb();
  expect(before).toBeGreaterThan(8 * 1024);
  expect(after).toBeLessThan(before - 4 * 1024);
  giveBack();
  expect(await residentKb()).toBeGreaterThan(0);
});
