import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { WatchDirectory } from '@podwright/filesystem';
import { createMemoryLogger } from '@podwright/logging';
import { VirtualClock } from '@podwright/time';
import type { VolumePlugin } from '@podwright/volume-interface';
import { FlexVolumeProber } from './flex-volume-prober.js';

describe('FlexVolumeProber', () => {
  let folder = '';
  let clock: VirtualClock;
  let prober: FlexVolumeProber;
  let watched: Map<string, () => void>;
  let probed: string[];
  let onProbe: (name: string) => Promise<void>;
  const logger = createMemoryLogger();

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'flex-prober-'));
    clock = new VirtualClock();
    watched = new Map();
    probed = [];
    onProbe = async () => undefined;
    const probe = async ({ name }: { readonly name: string }): Promise<VolumePlugin> => {
      probed.push(name);
      await onProbe(name);
      const newMounter = (): never => {
        throw new Error('not for this spec');
      };
      return { name, canSupport: () => false, newMounter, tearDown: async () => undefined };
    };
    const watchDirectory: WatchDirectory = (directory, onChange) => {
      watched.set(directory, () => onChange(undefined));
      return () => void watched.delete(directory);
    };
    prober = new FlexVolumeProber({ clock, logger, probe, watchDirectory }, join(folder, 'exec'));
  });
  afterEach(async () => {
    await prober.stop();
    await rm(folder, { recursive: true });
  });

  const at = (...parts: readonly string[]): string => join(folder, 'exec', ...parts);
  const names = (): readonly string[] => prober.plugins().map(({ name }) => name);
  async function install(driver: string, content = 'first'): Promise<void> {
    await mkdir(at(driver), { recursive: true });
    await writeFile(at(driver, driver.split('~').at(-1) ?? ''), content);
  }
  async function changed(path = at()): Promise<void> {
    watched.get(path)?.();
    await clock.advance(2_000);
  }

  it('makes its folder, and knows the installed drivers once it has started', async () => {
    await prober.start();
    expect([names(), (await stat(at())).mode & 0o777]).toEqual([[], 0o755]);
    await prober.stop();
    await install('example.dev~disk');
    await install('plain');
    await install('.hidden');
    await mkdir(at('empty'));
    await prober.start();
    expect(names()).toEqual([]); // a stopped prober stays as it is
  });

  it('finds drivers by name, and only where there is an executable', async () => {
    await install('example.dev~disk');
    await install('plain');
    await install('.hidden');
    await mkdir(at('empty'));
    await prober.start();
    expect(names()).toEqual(['example.dev/disk', 'plain']);
    expect([...watched.keys()].sort()).toEqual([at(), at('empty'), at('example.dev~disk'), at('plain')]);
  });

  it('notices drivers that come and go', async () => {
    await prober.start();
    await install('example.dev~disk');
    await changed();
    expect(names()).toEqual(['example.dev/disk']);
    await rm(at('example.dev~disk', 'disk'));
    await changed(at('example.dev~disk'));
    expect(names()).toEqual([]);
    await install('example.dev~disk');
    await changed(at('example.dev~disk'));
    expect(names()).toEqual(['example.dev/disk']);
    await rename(at('example.dev~disk'), join(folder, 'away'));
    await changed();
    expect([names(), [...watched.keys()]]).toEqual([[], [at()]]);
  });

  it('makes its folder again when that is removed', async () => {
    await install('example.dev~disk');
    await prober.start();
    await rm(at(), { recursive: true });
    await changed();
    expect([names(), (await stat(at())).isDirectory()]).toEqual([[], true]);
  });

  it('probes again after any change, and only the driver that changed', async () => {
    await install('example.dev~disk');
    await install('plain');
    await mkdir(at('plain', 'conf'));
    await prober.start();
    const [disk, plain] = prober.plugins();
    probed = [];
    await writeFile(at('plain', 'conf', 'settings'), 'a');
    await changed(at('plain', 'conf'));
    expect(probed).toEqual(['plain']);
    expect(prober.plugins()[0]).toBe(disk);
    expect(prober.plugins()[1]).not.toBe(plain);
    await changed();
    expect(probed).toEqual(['plain']);
  });

  it('is not confused by a driver that writes to its own folder, nor by one that is replaced meanwhile', async () => {
    onProbe = () => writeFile(at('plain', 'state'), String(probed.length));
    await install('plain');
    await prober.start();
    await changed(at('plain'));
    expect(probed).toEqual(['plain']);
    onProbe = () => writeFile(at('plain', 'plain'), 'another, longer one');
    await writeFile(at('plain', 'plain'), 'second');
    await changed(at('plain'));
    onProbe = async () => undefined;
    await changed(at('plain'));
    expect(probed).toEqual(['plain', 'plain', 'plain']);
  });

  it('keeps the former plugin while the driver fails, and tries again with the next lookup', async () => {
    await install('example.dev~disk');
    await prober.start();
    const [first] = prober.plugins();
    onProbe = () => Promise.reject(new Error('broken'));
    await install('example.dev~disk', 'a longer one');
    await changed(at('example.dev~disk'));
    const message = `error creating Flexvolume plugin from directory ${at('example.dev~disk')}, skipping. Error: broken`;
    expect(logger.entries.map((entry) => entry.message)).toContain(message);
    probed = [];
    await clock.advance(10_000);
    expect(probed).toEqual([]);
    expect(prober.plugins()).toEqual([first]);
    await clock.advance(0);
    expect(probed).toEqual(['example.dev/disk']);
    onProbe = async () => undefined;
    prober.plugins();
    await clock.advance(999);
    expect(probed).toHaveLength(1);
    await clock.advance(1);
    expect(prober.plugins()).toEqual([first]);
    await clock.advance(0);
    expect(prober.plugins()[0]).not.toBe(first);
    expect(probed).toHaveLength(2);
  });

  it('names drivers in the same order, whichever answers first', async () => {
    let answered = (): void => undefined;
    const second = new Promise<void>((resolve) => (answered = resolve));
    onProbe = (name) => (name === 'a' ? second : Promise.resolve(answered()));
    await install('a');
    await install('b');
    await prober.start();
    expect(names()).toEqual(['a', 'b']);
  });

  it('lets a driver that hangs hold up no other', async () => {
    await install('plain');
    await prober.start();
    let answer = (): void => undefined;
    onProbe = (name) => (name === 'slow' ? new Promise<void>((resolve) => (answer = resolve)) : Promise.resolve());
    await install('slow');
    await changed();
    expect(names()).toEqual(['plain']);
    answer();
    await clock.advance(0);
    expect(names()).toEqual(['plain', 'slow']);
  });

  it('says that its folder cannot be read, and reads it again later', async () => {
    await writeFile(at(), 'no folder');
    await prober.start();
    expect(names()).toEqual([]);
    await rm(at());
    await install('plain');
    await clock.advance(20_000);
    expect(names()).toEqual(['plain']);
  });
});
