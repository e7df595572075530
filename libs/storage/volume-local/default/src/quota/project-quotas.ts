import { Mutex } from '@podwright/concurrency';
import { KubeletError } from '@podwright/errors';
import { mountOf, resolveLinks, type MountEntry } from '@podwright/filesystem';
import type { VolumeUsage } from '@podwright/volume-interface';
import { readProjects, systemProjectPaths, writeProjects, type ProjectPaths } from './project-files.js';
import { firstProjectId, idsIn, projectOf, withoutProject, withProject } from './project-lines.js';
import type { QuotaTools } from './quota-tools.js';

export interface ProjectQuotasDeps {
  readonly tools: QuotaTools;
  readonly listMounts: () => Promise<readonly MountEntry[]>;
  /** Default: the files of the system. */
  readonly paths?: ProjectPaths;
}

interface Assigned {
  readonly id: number;
  readonly mount: MountEntry;
}

// The largest limits of the file systems: quotas only count, the kubelet evicts.
const mostBytes: Readonly<Record<string, bigint>> = { xfs: (1n << 63n) - 1n, ext4: (1n << 58n) - 1n };
const mostTries = 128;
const bytesPerBlock = 1024;

/**
 * Projects that let the file system count the usage of directories. Source: kubernetes v1.36 pkg/volume/util/fsquota.
 */
export class ProjectQuotas {
  private readonly assigned = new Map<string, Assigned>();
  /** Mount points where quotas are counted. */
  private readonly counting = new Set<string>();
  // The files and the IDs in them are shared by all directories.
  private readonly lock = new Mutex();

  constructor(private readonly deps: ProjectQuotasDeps) {}

  /**
   * Begins to count what a directory uses. Does nothing where the file system counts no projects. `bytes` is the size
   * limit of the volume, 0 for none. May be called again. Rejects when the project cannot be set.
   */
  async assign(directory: string, bytes: number, signal?: AbortSignal): Promise<void> {
    const mount = await this.supports(directory, signal).catch((error: unknown) => {
      signal?.throwIfAborted();
      // Upstream's log says as much: without quotas, files are counted.
      return KubeletError.from(error);
    });
    if (mount === undefined || mount instanceof KubeletError) return;
    await this.lock.run(async () => {
      if (this.assigned.has(directory)) return;
      const id = await this.addProject(directory, mount, signal);
      try {
        await this.setLimit(directory, { id, mount }, bytes > 0, signal);
      } catch (error) {
        await this.removeProject(directory);
        throw KubeletError.from(error);
      }
      this.assigned.set(directory, { id, mount });
    });
  }

  /** What the file system counts for a directory; undefined for one without project. */
  async usage(
    directory: string,
    signal: AbortSignal,
  ): Promise<Pick<VolumeUsage, 'usedBytes' | 'inodesUsed'> | undefined> {
    const known = this.assigned.get(directory);
    if (known === undefined) return undefined;
    return {
      usedBytes: (await this.read(known, '-b', signal)) * bytesPerBlock,
      inodesUsed: await this.read(known, '-i', signal),
    };
  }

  /** Ends the counting, also of a directory that an earlier process has assigned. Does nothing without a project. */
  async clear(directory: string, signal?: AbortSignal): Promise<void> {
    await this.lock.run(async () => {
      const known = this.assigned.get(directory);
      this.assigned.delete(directory);
      const listed = projectOf(await this.readFiles(), directory);
      const mount = known?.mount ?? (listed === undefined ? undefined : await this.supports(directory, signal));
      if (mount === undefined) return;
      const id = await this.deps.tools.projectOf(directory, signal);
      if (known !== undefined && known.id !== id) {
        const message = `Expected quota ID ${known.id} on dir ${directory} does not match actual ${id}`;
        throw new KubeletError(message, { code: 'failed-precondition' });
      }
      try {
        if (id !== 0) await this.setLimit(directory, { id, mount }, false, signal);
      } finally {
        // Also after a failure: an ID that stays in the files is lost.
        if (listed !== undefined) await this.removeProject(directory);
      }
    });
  }

  private async supports(directory: string, signal: AbortSignal | undefined): Promise<MountEntry | undefined> {
    // A path with a blank would be two arguments of a command.
    if (/\s/.test(directory)) return undefined;
    const table = await this.deps.listMounts();
    const mount = mountOf(await resolveLinks(directory, table), table);
    if (mount === undefined || !Object.hasOwn(mostBytes, mount.fsType)) return undefined;
    if (this.counting.has(mount.mountPoint)) return mount;
    const state = await this.deps.tools.xfsQuota(mount, 'state -p', signal);
    if (!state.includes('Accounting: ON')) return undefined;
    this.counting.add(mount.mountPoint);
    return mount;
  }

  private async setLimit(
    directory: string,
    { id, mount }: Assigned,
    limited: boolean,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const bytes = limited ? (mostBytes[mount.fsType] ?? 0n) : 0n;
    const { tools } = this.deps;
    await tools.xfsQuota(mount, `limit -p bhard=${bytes} bsoft=${bytes} ${id}`, signal);
    await tools.xfsQuota(mount, `project -s -p ${directory} ${id}`, signal);
  }

  private async addProject(directory: string, mount: MountEntry, signal: AbortSignal | undefined): Promise<number> {
    const lines = await this.readFiles();
    const own = projectOf(lines, directory);
    if (own !== undefined) return own;
    const taken = idsIn(lines);
    for (let [id, tries] = [firstProjectId, 0]; tries <= mostTries; id++) {
      if (taken.has(id)) continue;
      tries++;
      if (await this.isUsed({ id, mount }, signal)) continue;
      await writeProjects(this.paths, withProject(lines, directory, id));
      return id;
    }
    throw new KubeletError('cannot find available quota ID', { code: 'resource-exhausted' });
  }

  private async removeProject(directory: string): Promise<void> {
    await writeProjects(this.paths, withoutProject(await this.readFiles(), directory));
  }

  private async isUsed(project: Assigned, signal: AbortSignal | undefined): Promise<boolean> {
    return (await this.read(project, '-b', signal)) > 0 || (await this.read(project, '-i', signal)) > 0;
  }

  private async read({ id, mount }: Assigned, what: '-b' | '-i', signal: AbortSignal | undefined): Promise<number> {
    const output = await this.deps.tools.xfsQuota(mount, `quota -p -N -n -v ${what} ${id}`, signal);
    // XFS prints nothing for a project that has no quota.
    if (output === '' && mount.fsType === 'xfs') return 0;
    const [, count] = /^[^ \t]*[ \t]*(\d+)/.exec(output) ?? [];
    if (count === undefined) throw new KubeletError(`unable to parse quota output '${output}'`, { code: 'internal' });
    return Number(count);
  }

  private readFiles(): ReturnType<typeof readProjects> {
    return readProjects(this.paths);
  }

  private get paths(): ProjectPaths {
    return this.deps.paths ?? systemProjectPaths;
  }
}
