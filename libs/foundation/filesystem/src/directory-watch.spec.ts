import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@podwright/time';
import { DirectoryWatch, type DirectoryWatchOptions } from './directory-watch.js';
import type { WatchDirectory } from './watch-directory.js';

describe('DirectoryWatch', () => {
  let base: string;
  let directory: string;
  let clock: VirtualClock;
  let changes: number;
  let lost: string[];
  let watch: DirectoryWatch;

  beforeEach(async () => {
    base = await mkdtemp(path.join(tmpdir(), 'directory-watch-'));
    directory = path.join(base, 'watched');
    await mkdir(directory);
    clock = new VirtualClock();
    [changes, lost] = [0, []];
  });
  afterEach(async () => {
    watch.close();
    watch.close();
    expect(clock.pendingTimers).toBe(0);
    await rm(base, { recursive: true });
  });

  function create(options: Partial<DirectoryWatchOptions> = {}, watchDirectory?: WatchDirectory): DirectoryWatch {
    return (watch = new DirectoryWatch(
      { clock, ...(watchDirectory && { watchDirectory }) },
      {
        directory,
        onChange: () => {
          changes++;
          told();
        },
        onLost: (error, retryMs) => lost.push(`${(error as NodeJS.ErrnoException).code} ${retryMs}`),
        ...options,
      },
    ));
  }
  let told: () => void = () => undefined;
  /** Resolves when the watch has told of a change that `work` has made. */
  async function change(work: () => Promise<unknown>): Promise<void> {
    const noticed = new Promise<void>((resolve) => (told = resolve));
    await work();
    await noticed;
  }
  const put = (name: string): Promise<void> => writeFile(path.join(directory, name), '');

  describe('of the kernel', () => {
    it('tells of entries that come, go and change, and of nothing more after its end', async () => {
      await create().renew();
      await change(() => put('a'));
      await change(() => rename(path.join(directory, 'a'), path.join(directory, 'b')));
      await change(() => rm(path.join(directory, 'b')));
      watch.close();
      expect(watch.watching).toBe(false);
      const before = changes;
      await put('c');
      await watch.renew();
      expect([watch.watching, changes]).toEqual([false, before]);
    });

    it.each<[string, () => Promise<unknown>]>([
      ['removed and made anew', () => rm(directory, { recursive: true })],
      ['moved away', () => rename(directory, path.join(base, 'away'))],
    ])('sees the directory %s', async (_what, takeAway) => {
      await create({ retry: { firstMs: 1000, longestMs: 20_000 }, only: ['b'] }).renew();
      await change(takeAway);
      await watch.renew();
      expect([watch.watching, lost]).toEqual([false, ['ENOENT 1000']]);
      await mkdir(directory);
      await change(() => clock.advance(1000));
      await watch.renew();
      expect(watch.watching).toBe(true);
      await change(() => put('b'));
    });

    it('is renewed when another directory has taken the place, which it may not have been told of', async () => {
      await create({ directory: path.join(base, 'parent/sub') });
      await mkdir(path.join(base, 'parent/sub'), { recursive: true });
      await watch.renew();
      await rename(path.join(base, 'parent'), path.join(base, 'old'));
      await mkdir(path.join(base, 'parent/sub'), { recursive: true });
      await watch.renew();
      expect([watch.watching, lost]).toEqual([true, []]);
      await change(() => writeFile(path.join(base, 'parent/sub/a'), ''));
    });

    it('tells of the files that it is made for, also where they are links through ..data', async () => {
      await mkdir(path.join(directory, '..1'));
      await mkdir(path.join(directory, '..2'));
      await symlink('..1', path.join(directory, '..data'));
      await create({ only: ['tls.crt'] }).renew();
      await change(async () => {
        await put('other');
        await put('tls.crt');
      });
      await change(async () => {
        await symlink('..2', path.join(directory, '..data_tmp'));
        await rename(path.join(directory, '..data_tmp'), path.join(directory, '..data'));
      });
    });
  });

  describe('of which the outcome is told', () => {
    let tell: (name?: string) => void;
    let fail: (error: unknown) => void;
    let watches: number;
    let problem: string | undefined;
    const imitation: WatchDirectory = (_directory, onChange, onError) => {
      if (problem !== undefined) throw Object.assign(new Error(problem), { code: problem });
      watches++;
      [tell, fail] = [onChange, onError];
      return () => void watches--;
    };
    beforeEach(() => {
      [watches, problem] = [0, undefined];
    });

    it('is one, however often it is renewed', async () => {
      create({}, imitation);
      await Promise.all([watch.renew(), watch.renew()]);
      await watch.renew();
      expect(watches).toBe(1);
      await put('an entry is no new directory');
      await watch.renew();
      expect(watches).toBe(1);
      watch.close();
      expect(watches).toBe(0);
    });

    it('asks for a look with growing pauses while there is none, and begins anew with them', async () => {
      const attempts: number[] = [];
      const onChange = (): void => {
        attempts.push(clock.monotonic());
        void watch.renew();
      };
      problem = 'ENOSPC';
      await create({ retry: { firstMs: 1000, longestMs: 4000 }, onChange }, imitation).renew();
      await clock.advance(12_000);
      expect(attempts).toEqual([1000, 3000, 7000, 11_000]);
      problem = undefined;
      await clock.advance(4000);
      expect([watches, watch.watching, clock.pendingTimers]).toEqual([1, true, 0]);
      fail(Object.assign(new Error('broken'), { code: 'EIO' }));
      expect([watches, watch.watching]).toEqual([0, false]);
      await clock.advance(1000);
      expect(watches).toBe(1);
      expect(lost).toEqual(['ENOSPC 1000', 'ENOSPC 2000', 'ENOSPC 4000', 'ENOSPC 4000', 'ENOSPC 4000', 'EIO 1000']);
    });

    it('leaves it to its owner when to come again', async () => {
      problem = 'ENOSPC';
      await create({}, imitation).renew();
      expect([lost, clock.pendingTimers]).toEqual([['ENOSPC undefined'], 0]);
    });

    it('counts a change without a name, and one of the directory itself, as one of what it is made for', async () => {
      await create({ only: ['a'] }, imitation).renew();
      for (const name of ['a', 'b', undefined, '..data', 'watched']) tell(name);
      expect(changes).toBe(4);
    });

    it('makes one of a burst', async () => {
      await create({ settle: { quietMs: 15, mostMs: 100 } }, imitation).renew();
      tell('a');
      tell('b');
      await clock.advance(14);
      expect(changes).toBe(0);
      await clock.advance(1);
      expect(changes).toBe(1);
      tell('a');
      watch.close();
      await clock.advance(100);
      expect(changes).toBe(1);
    });
  });
});
