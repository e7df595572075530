import { describe, expect, it } from '@jest/globals';
import { CachedFolder } from './cached-folder.js';
import { StripedLocks } from './striped-locks.js';

class Files {
  readonly values = new Set<string>();
  faults: string[] = [];
  readonly looks: string[] = [];
  list = async () => ({ values: [...this.values].sort(), faults: this.faults });
  get = async (key: string) => {
    this.looks.push(key);
    return this.values.has(key) ? key : undefined;
  };
  write = async (value: string) => void this.values.add(value);
  remove = async (key: string) => void this.values.delete(key);
}

function setUp(most: number, ...values: string[]) {
  const files = new Files();
  values.forEach((value) => files.values.add(value));
  const cache = new CachedFolder<string>(files, (value) => value, new StripedLocks(1), most);
  return { files, cache };
}

describe('CachedFolder', () => {
  it('asks the disk for nothing while it knows all', async () => {
    const { files, cache } = setUp(5, 'a');
    await cache.list();
    await cache.write('b');
    expect([await cache.get('a'), await cache.get('b'), await cache.get('c')]).toEqual(['a', 'b', undefined]);
    await cache.remove('a');
    expect([await cache.get('a'), cache.usagePercent()]).toEqual([undefined, 20]);
    expect(files.looks).toEqual([]);
  });

  it('asks the disk for what it has forgotten, which is what was used longest ago', async () => {
    const { files, cache } = setUp(2);
    await cache.list();
    await cache.write('a');
    await cache.write('b');
    await cache.get('a');
    await cache.write('c');
    for (const key of ['a', 'c', 'b', 'x']) await cache.get(key);
    expect(files.looks).toEqual(['b', 'x']);
  });

  it.each([
    ['files that do not fit', ['a', 'b', 'c'], []],
    ['a file that cannot be read', ['a'], ['torn']],
  ])('does not trust itself with %s', async (_what, values, faults) => {
    const { files, cache } = setUp(3, ...values);
    files.faults = [...faults];
    expect(await cache.list()).toEqual({ values, faults });
    await cache.get('x');
    expect(files.looks).toEqual(['x']);
    files.faults = [];
    files.values.delete('c');
    await cache.list();
    await cache.get('y');
    expect(files.looks).toEqual(['x']);
  });
});

describe('StripedLocks', () => {
  it('lets nobody in beside one who works alone', async () => {
    const locks = new StripedLocks(64);
    const order: string[] = [];
    const task = (name: string) => async () => {
      order.push(`${name} in`);
      await Promise.resolve();
      order.push(`${name} out`);
    };
    await Promise.all([locks.run('a', task('a')), locks.runAlone(task('alone')), locks.run('a', task('b'))]);
    expect(order.filter((_, index) => index % 2 === 1)).toEqual(
      order.filter((_, index) => index % 2 === 0).map((entered) => entered.replace(' in', ' out')),
    );
    expect(order.length).toBe(6);
  });
});
