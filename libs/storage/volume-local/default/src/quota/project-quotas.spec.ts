import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parseMountTable } from '@podwright/filesystem';
import type { RunProgram } from '@podwright/program';
import { ProjectQuotas } from './project-quotas.js';
import { QuotaTools } from './quota-tools.js';

const signal = new AbortController().signal;

describe('ProjectQuotas', () => {
  let folder = '';
  let directory = '';
  let commands: string[] = [];
  let tables: string[] = [];
  let used: Map<number, [kib: number, inodes: number]>;
  let projectOfDirectory = 0;
  let failing: RegExp | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quota-'));
    directory = join(folder, 'pods/uid/volume');
    await mkdir(directory, { recursive: true });
    await mkdir(join(folder, 'etc'));
    [commands, tables, used, projectOfDirectory, failing] = [[], [], new Map(), 0, undefined];
  });
  afterEach(async () => rm(folder, { recursive: true }));

  const run: RunProgram = async ({ file, args }) => {
    const done = (stdout: string, problem?: string): Awaited<ReturnType<RunProgram>> => ({
      end: { how: 'exited', code: problem === undefined ? 0 : 1 },
      problem,
      stdout,
      stderr: '',
    });
    if (file === '/lsattr') return done(`${projectOfDirectory} --------------e----P-- ${args.at(-1)}\n`);
    const command = args.at(-1) ?? '';
    commands.push(command);
    tables.push(`${args.slice(2, -1).join(' ')} | ${await readFile(args[1] ?? '', 'utf8')}`);
    if (failing?.test(command) === true) return done('', 'exit status 1');
    const [, set] = /^project -s -p \S+ (\d+)$/.exec(command) ?? [];
    if (set !== undefined) projectOfDirectory = Number(set);
    if (command === 'state -p') return done('Project quota state on /x\n  Accounting: ON\n  Enforcement: OFF\n');
    const [, what, id] = /^quota -p -N -n -v -(.) (\d+)$/.exec(command) ?? [];
    if (what === undefined) return done('');
    const [kib, inodes] = used.get(Number(id)) ?? [0, 0];
    return done(`/dev/loop0 ${what === 'b' ? kib : inodes} 0 0 00 [--------]\n`);
  };

  const create = (fsType = 'ext4'): ProjectQuotas =>
    new ProjectQuotas({
      tools: new QuotaTools({ run, xfsQuota: '/xfs_quota', lsattr: '/lsattr' }),
      listMounts: async () =>
        parseMountTable(
          `1 0 8:1 / / rw - btrfs /dev/sda rw\n2 1 8:2 / ${folder} rw,relatime - ${fsType} /dev/my\\040disk rw`,
        ),
      paths: { projects: join(folder, 'etc/projects'), names: join(folder, 'etc/projid') },
    });
  const files = async (): Promise<readonly string[]> =>
    Promise.all(['projects', 'projid'].map((name) => readFile(join(folder, 'etc', name), 'utf8')));

  it('gives a directory a project, counts it, and takes it away', async () => {
    const quotas = create();
    expect(await quotas.usage(directory, signal)).toBeUndefined();
    // Of a kubelet that was killed.
    await writeFile(join(folder, 'etc/.projects.new'), '1048577:/half');
    await quotas.assign(directory, 1_000, signal);
    await quotas.assign(directory, 1_000, signal);
    expect(await files()).toEqual([`1048577:${directory}\n`, 'volume1048577:1048577\n']);
    expect(commands).toEqual([
      'state -p',
      'quota -p -N -n -v -b 1048577',
      'quota -p -N -n -v -i 1048577',
      'limit -p bhard=288230376151711743 bsoft=288230376151711743 1048577',
      `project -s -p ${directory} 1048577`,
    ]);
    expect(tables[0]).toBe(
      `-P/dev/null -D/dev/null -x -f ${folder} -c | /dev/my\\040disk ${folder} ext4 rw,relatime 0 0\n`,
    );
    used.set(1_048_577, [12, 3]);
    expect(await quotas.usage(directory, signal)).toEqual({ usedBytes: 12_288, inodesUsed: 3 });
    commands = [];
    await quotas.clear(directory);
    expect(commands).toEqual(['limit -p bhard=0 bsoft=0 1048577', `project -s -p ${directory} 1048577`]);
    expect([await files(), await quotas.usage(directory, signal)]).toEqual([['', ''], undefined]);
    expect(await readdir(join(folder, 'etc'))).toEqual(['projects', 'projid'].sort());
  });

  it('uses no ID that is listed or has files, and keeps other lines and modes', async () => {
    await writeFile(join(folder, 'etc/projects'), '# mine\n7:/srv\n1048577:/other\n', { mode: 0o600 });
    await writeFile(join(folder, 'etc/projid'), 'backup:1048578\n');
    used.set(1_048_579, [0, 1]);
    await create().assign(directory, 0, signal);
    const [projects, names] = await files();
    expect(projects).toBe(`# mine\n7:/srv\n1048577:/other\n1048580:${directory}\n`);
    expect(names).toBe('backup:1048578\nvolume1048580:1048580\n');
    expect((await stat(join(folder, 'etc/projects'))).mode & 0o777).toBe(0o600);
    expect(commands).toContain('limit -p bhard=0 bsoft=0 1048580');
  });

  it('takes the project of an earlier process over, and clears it', async () => {
    await create().assign(directory, 1, signal);
    const next = create();
    await next.assign(directory, 1, signal);
    expect((await files())[0]).toBe(`1048577:${directory}\n`);
    const last = create();
    await last.clear(directory);
    expect(await files()).toEqual(['', '']);
    commands = [];
    await last.clear(directory);
    expect(commands).toEqual([]);
  });

  it('does nothing where projects are not counted', async () => {
    const quotas = create('btrfs');
    await quotas.assign(directory, 1, signal);
    expect(commands).toEqual([]);
    failing = /state/;
    await create('xfs').assign(directory, 1, signal);
    expect(commands).toEqual(['state -p']);
    await expect(files()).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('keeps no project that could not be set', async () => {
    failing = /^project/;
    await expect(create().assign(directory, 1, signal)).rejects.toThrow('exit status 1');
    expect(await files()).toEqual(['', '']);
  });

  it('clears no directory that has another project by now', async () => {
    const quotas = create();
    await quotas.assign(directory, 1, signal);
    projectOfDirectory = 5;
    await expect(quotas.clear(directory)).rejects.toThrow(
      `Expected quota ID 1048577 on dir ${directory} does not match actual 5`,
    );
  });

  it('follows no link in place of the files', async () => {
    await writeFile(join(folder, 'shadow'), '');
    await symlink('../shadow', join(folder, 'etc/projid'));
    await expect(create().assign(directory, 1, signal)).rejects.toThrow('exists but is not a plain file');
  });
});
