import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { watchDirectory } from '@podwright/filesystem';
import { eventually, VirtualClock } from '@podwright/time';
import { ReplacedEntries } from './replaced-entries.js';

describe('entries that were removed and made anew between two looks', () => {
  let base: string;
  let close: () => void;
  let clock: VirtualClock;
  let events: number;
  let replaced: ReplacedEntries;
  const at = (...names: string[]): string => path.join(base, ...names);
  const known = ['a.yaml', 'b.yaml'];
  beforeEach(async () => {
    base = await mkdtemp(path.join(tmpdir(), 'replaced-entries-'));
    await mkdir(at('watched'));
    for (const name of [...known, 'stranger']) await writeFile(at('watched', name), name);
    clock = new VirtualClock();
    replaced = new ReplacedEntries(clock, (name) => known.includes(name));
    events = 0;
    close = watchDirectory(
      at('watched'),
      (name, kind = 'change') => {
        events++;
        replaced.note(name, kind);
      },
      () => undefined,
    );
  });
  afterEach(async () => {
    close();
    await rm(base, { recursive: true });
  });

  /** The kernel's events come in order, so the last one says that all are there. */
  async function found(): Promise<readonly string[]> {
    let last = false;
    const { note } = replaced;
    replaced.note = (name, kind) => {
      last ||= name === 'last';
      note.call(replaced, name, kind);
    };
    await writeFile(at('watched', 'last'), '');
    await eventually(() => last);
    return replaced.take(known, async () => false);
  }
  const moved = (from: string[], to: string[]): Promise<void> => rename(at(...from), at(...to));
  const removed = (name: string): Promise<void> => rm(at('watched', name));
  const written = (name: string): Promise<void> => writeFile(at('watched', name), 'anew');

  it.each<[string, readonly string[], () => Promise<unknown>]>([
    ['removed and written', ['a.yaml'], () => removed('a.yaml').then(() => written('a.yaml'))],
    [
      'removed together and written together',
      known,
      async () => {
        for (const name of known) await removed(name);
        for (const name of known) await written(name);
      },
    ],
    [
      'moved away and back',
      known,
      async () => {
        for (const name of known) await moved(['watched', name], [name]);
        for (const name of known) await moved([name], ['watched', name]);
      },
    ],
    [
      'renamed to a backup within the directory and written, as editors do',
      ['b.yaml'],
      async () => {
        await moved(['watched', 'b.yaml'], ['watched', 'b.yaml~']);
        await written('b.yaml');
      },
    ],
    [
      'moved away and back, just after another file got a new name',
      ['a.yaml'],
      async () => {
        await moved(['watched', 'b.yaml'], ['watched', 'c.yaml']);
        await moved(['watched', 'a.yaml'], ['a.yaml']);
        await moved(['a.yaml'], ['watched', 'a.yaml']);
      },
    ],
    [
      'removed, and another file renamed into place',
      ['b.yaml'],
      async () => {
        await written('.b.tmp');
        await removed('b.yaml');
        await moved(['watched', '.b.tmp'], ['watched', 'b.yaml']);
      },
    ],
  ])('%s: %j', async (_how, expected, work) => {
    await work();
    expect(await found()).toEqual(expected);
    expect(events).toBeGreaterThan(1);
    expect(await replaced.take(known, async () => true)).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['written in place', () => written('a.yaml').then(() => written('a.yaml'))],
    ['removed', () => removed('a.yaml')],
    [
      'renamed over, from outside',
      async () => {
        await writeFile(at('new'), 'anew');
        await moved(['new'], ['watched', 'a.yaml']);
        await written('a.yaml');
      },
    ],
    [
      'renamed over, twice, within the directory',
      async () => {
        for (const name of ['.first', '.second']) {
          await written(name);
          await moved(['watched', name], ['watched', 'a.yaml']);
        }
      },
    ],
    ['unknown before', () => removed('stranger').then(() => written('stranger'))],
  ])('%s: none', async (_how, work) => {
    await work();
    expect(await found()).toEqual([]);
  });

  it('counts the second event after a look that has found the new file already, and no later or other one', async () => {
    const look = async (afterMs: number, unchanged = true): Promise<readonly string[]> => {
      await clock.advance(afterMs);
      replaced.note('a.yaml', 'rename');
      return replaced.take(known, async () => unchanged);
    };
    expect([await look(0), await look(101)]).toEqual([[], []]);
    expect([await look(100), await look(0)]).toEqual([['a.yaml'], []]);
    await clock.advance(101);
    expect([await look(0), await look(100, false)]).toEqual([[], []]);
    expect(await replaced.take(known, async () => true)).toEqual([]);
    expect(await look(100)).toEqual(['a.yaml']);
  });

  it('counts a removal and creation of which the look has found none', async () => {
    replaced.note('a.yaml', 'rename');
    expect(await replaced.take(known, async () => false)).toEqual([]);
    for (let event = 0; event < 2; event++) replaced.note('a.yaml', 'rename');
    expect(await replaced.take(known, async () => false)).toEqual(['a.yaml']);
  });
});
