import { mkdir, mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { linkLog } from './log-link.js';

describe('linkLog', () => {
  const pod: Pod = { metadata: { name: 'web', namespace: 'default', uid: 'uid-1' }, spec: { containers: [] } };
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'log-link-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const link = (id = 'id1'): Promise<void> =>
    linkLog(
      { podLogsDir: join(directory, 'pods'), containerLogsDir: join(directory, 'containers') },
      pod,
      { name: 'app' },
      id,
      'app/0.log',
    );

  it('makes the folder of the links when it is missing', async () => {
    const log = join(directory, 'pods/default_web_uid-1/app/0.log');
    await mkdir(join(log, '..'), { recursive: true });
    await writeFile(log, '');
    await link();
    expect(await readlink(join(directory, 'containers/web_default_app-id1.log'))).toBe(log);
  });

  it('refuses an id of the runtime that leads out of the folder of the links', async () => {
    const log = join(directory, 'pods/default_web_uid-1/app/0.log');
    await mkdir(join(log, '..'), { recursive: true });
    await writeFile(log, '');
    await expect(link('id1/../../planted')).rejects.toThrow('makes no file name');
    expect(await readdir(directory)).toEqual(['pods']);
  });

  it('makes nothing when the runtime wrote no log file', async () => {
    await link();
    expect(await readdir(directory)).toEqual([]);
  });
});
