import { constants } from 'node:fs';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KubeletError } from '@podwright/errors';
import type { MountEntry } from '@podwright/filesystem';
import type { RunProgram } from '@podwright/program';

const xfsQuotaPaths = ['/sbin/xfs_quota', '/usr/sbin/xfs_quota', '/bin/xfs_quota'];

export interface QuotaToolsDeps {
  readonly run: RunProgram;
  /** Default: the first that can be run of `/sbin`, `/usr/sbin` and `/bin`. */
  readonly xfsQuota?: string;
  /** Default: `/usr/bin/lsattr`. */
  readonly lsattr?: string;
}

/** Runs the programs that know about project quotas, of XFS and of ext4. */
export class QuotaTools {
  constructor(private readonly deps: QuotaToolsDeps) {}

  /**
   * Runs one command of xfs_quota(8). The program sees only this mount: it would visit all of them, and hang in a dead
   * network file system. It reads no project files, because IDs are numbers here. Resolves with what it prints.
   */
  async xfsQuota(mount: MountEntry, command: string, signal?: AbortSignal): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'mounts'));
    try {
      const table = join(folder, 'mounts');
      const { source, mountPoint, fsType, options } = mount;
      await writeFile(table, `${[source, mountPoint].map(escaped).join(' ')} ${fsType} ${options.join(',')} 0 0\n`);
      const args = ['-t', table, '-P/dev/null', '-D/dev/null', '-x', '-f', mountPoint, '-c', command];
      return await this.output(await this.findXfsQuota(), args, signal);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** The project of a directory; 0 for none. */
  async projectOf(directory: string, signal?: AbortSignal): Promise<number> {
    const output = await this.output(this.deps.lsattr ?? '/usr/bin/lsattr', ['-pd', directory], signal);
    const [, id, path] = /^ *(\d+) [^ ]+ (.*)$/m.exec(output) ?? [];
    if (id === undefined || path !== directory) {
      throw new KubeletError(`unable to parse lsattr -pd ${directory} output ${output}`, { code: 'internal' });
    }
    return Number(id);
  }

  private async findXfsQuota(): Promise<string> {
    if (this.deps.xfsQuota !== undefined) return this.deps.xfsQuota;
    for (const path of xfsQuotaPaths) {
      const canRun = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (canRun) return path;
    }
    throw new KubeletError('no xfs_quota program found', { code: 'unavailable' });
  }

  private async output(file: string, args: readonly string[], signal: AbortSignal | undefined): Promise<string> {
    const { problem, stdout, stderr } = await this.deps.run({ file, args }, signal);
    signal?.throwIfAborted();
    if (problem === undefined) return stdout;
    throw new KubeletError(`${file} ${args.join(' ')}: ${problem}: ${stderr}`, { code: 'internal' });
  }
}

/** As in /proc/self/mounts. */
function escaped(text: string): string {
  return text.replace(/[ \t\n\\]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
}
