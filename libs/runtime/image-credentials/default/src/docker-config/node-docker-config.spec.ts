import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import { VirtualClock } from '@podwright/time';
import { NodeDockerConfig } from './node-docker-config.js';

const content = (user: string): string => JSON.stringify({ 'quay.io': { username: user, password: 'p' } });
const wrapped = (user: string): string => `{"auths":${content(user)}}`;

describe('NodeDockerConfig', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'docker-config-'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  function setUp() {
    const [clock, logger] = [new VirtualClock(), createMemoryLogger()];
    const place = (name: string): string => path.join(dir, name);
    const folders = { rootDir: place('root'), workingDir: place('cwd'), homeDir: place('home'), topDir: place('top') };
    const config = new NodeDockerConfig({ clock, logger }, folders);
    const user = async (): Promise<string | undefined> => (await config.read())[0]?.[1].username;
    const write = async (file: string, text: string): Promise<void> => {
      await mkdir(path.dirname(place(file)), { recursive: true });
      await writeFile(place(file), text);
    };
    return { clock, logger, user, write, place };
  }

  // Each wins over those after it.
  const order = [
    'root/config.json',
    'cwd/config.json',
    'home/.docker/config.json',
    'top/.docker/config.json',
    'root/.dockercfg',
    'cwd/.dockercfg',
    'home/.dockercfg',
    'top/.dockercfg',
  ];
  it.each(order.map((file, index) => [file, order.slice(index)]))('reads %s before others', async (file, files) => {
    const { user, write } = setUp();
    for (const name of files) await write(name, name.endsWith('.json') ? wrapped(name) : content(name));
    expect(await user()).toBe(file);
  });

  it('has nothing without files, and looks again after five minutes', async () => {
    const { clock, user, write, logger } = setUp();
    expect(await user()).toBeUndefined();
    await write('root/config.json', wrapped('new'));
    await clock.advance(299_999);
    expect(await user()).toBeUndefined();
    await clock.advance(1);
    expect(await user()).toBe('new');
    expect(logger.entries.filter(({ severity }) => severity !== 'info')).toEqual([]);
  });

  it('passes over what cannot be read, and names it without its content', async () => {
    const { user, write, place, logger } = setUp();
    await write('root/config.json', '{"auths": hunter2');
    await mkdir(place('cwd/config.json'), { recursive: true });
    await write('home/.dockercfg', content('home'));
    expect(await user()).toBe('home');
    const told = logger.entries
      .filter(({ severity }) => severity === 'warning')
      .map(({ fields }) => [fields?.['file'], fields?.['reason']]);
    expect(told).toEqual([
      [place('root/config.json'), expect.stringContaining('it is no JSON')],
      [place('cwd/config.json'), 'it is no regular file'],
    ]);
    expect(JSON.stringify(told)).not.toContain('hunter2');
  });
});
