import path from 'node:path';
import type { PodCgroupResources } from '@podwright/cgroup-interface';
import type { CgroupFiles } from './cgroup-files.js';
import { isAbsent, isRefused, type CgroupHierarchy } from '@podwright/cgroup-files';
import { quotedName, usedControllers, type CgroupTree, type OnRefused } from './cgroup-tree.js';
import { v1Writes, type CgroupValues } from './cgroup-values.js';
import { writeCgroupFiles } from './write-cgroup-files.js';

// Without a limit the kernel shows the largest number of pages that it can count.
const unlimitedBytes = 2 ** 62;
const cpusetFiles = ['cpuset.cpus', 'cpuset.mems'];

/** Cgroups in the v1 hierarchies; several controllers may share one hierarchy. */
export class CgroupV1Tree implements CgroupTree {
  private readonly mountPoints: ReadonlyMap<string, string>;
  private readonly usedMountPoints: readonly string[];

  constructor(
    private readonly files: CgroupFiles,
    hierarchies: readonly CgroupHierarchy[],
    /** False lets pods opt out of CPU load balancing, which requires that no cgroup above them balances. */
    private readonly balanceLoad = true,
  ) {
    this.mountPoints = new Map(
      hierarchies.flatMap(({ controllers, mountPoint }) => controllers.map((name) => [name, mountPoint] as const)),
    );
    this.usedMountPoints = [...new Set(usedControllers.v1.flatMap((name) => this.mountPoints.get(name) ?? []))];
  }

  async fault(cgroup: string, name = quotedName(cgroup)): Promise<string | undefined> {
    const directories = this.directories(cgroup);
    const present = await Promise.all(directories.map((directory) => this.files.exists(directory)));
    const missing = directories.filter((_, index) => present[index] === false);
    return missing.length === 0 ? undefined : `cgroup ${name} has some missing paths: ${missing.join(', ')}`;
  }

  async isPresent(cgroup: string): Promise<boolean> {
    const directory = this.firstDirectory(cgroup);
    return directory === undefined || this.files.exists(directory);
  }

  async isEmpty(cgroup: string): Promise<boolean> {
    const directory = this.firstDirectory(cgroup);
    return directory === undefined || (await this.files.subdirectories(directory)).length === 0;
  }

  async create(cgroup: string): Promise<boolean> {
    const made = await Promise.all(
      this.directories(cgroup).map(async (directory) => {
        const isNew = await this.files.makeDirectory(directory);
        if (directory === this.directoryOf('cpuset', cgroup)) {
          // Before the cpuset has CPUs: afterwards the kernel would rebuild all scheduling domains.
          if (isNew && !this.balanceLoad)
            await this.files.write(path.join(directory, 'cpuset.sched_load_balance'), '0');
          await this.fillCpuset(directory, isNew);
        }
        return isNew;
      }),
    );
    return made.includes(true);
  }

  // In v1 a cgroup always has all controllers of its hierarchy.
  async enableChildren(): Promise<readonly string[]> {
    return [];
  }

  async write(cgroup: string, values: CgroupValues, onRefused?: OnRefused): Promise<void> {
    await writeCgroupFiles(
      this.files,
      v1Writes(values),
      (controller) => this.directoryOf(controller, cgroup),
      onRefused,
    );
  }

  async read(cgroup: string): Promise<PodCgroupResources> {
    const number = async (controller: string, file: string): Promise<number> =>
      Number(await this.files.read(path.join(this.directoryOf(controller, cgroup) ?? '', file)));
    const hasMemory = this.mountPoints.has('memory');
    const hasCpu = this.mountPoints.has('cpu');
    const [cpuShares, cpuQuotaUs, cpuPeriodUs] = hasCpu
      ? await Promise.all(['cpu.shares', 'cpu.cfs_quota_us', 'cpu.cfs_period_us'].map((file) => number('cpu', file)))
      : [];
    const limit = hasMemory ? await number('memory', 'memory.limit_in_bytes') : undefined;
    return {
      ...(cpuShares !== undefined && { cpuShares }),
      ...(cpuQuotaUs !== undefined && { cpuQuotaUs }),
      ...(cpuPeriodUs !== undefined && { cpuPeriodUs }),
      ...(limit !== undefined && { memoryLimitBytes: limit >= unlimitedBytes ? -1 : limit }),
    };
  }

  async memoryUsageBytes(cgroup: string): Promise<number> {
    const directory = this.directoryOf('memory', cgroup);
    return directory === undefined ? 0 : Number(await this.files.read(path.join(directory, 'memory.usage_in_bytes')));
  }

  async discard(cgroup: string): Promise<void> {
    await Promise.allSettled(this.directories(cgroup).map((directory) => this.files.removeDirectory(directory)));
  }

  private directories(cgroup: string): readonly string[] {
    return this.usedMountPoints.map((mountPoint) => path.join(mountPoint, cgroup));
  }

  private firstDirectory(cgroup: string): string | undefined {
    const [mountPoint] = this.usedMountPoints;
    return mountPoint === undefined ? undefined : path.join(mountPoint, cgroup);
  }

  private directoryOf(controller: string, cgroup: string): string | undefined {
    const mountPoint = this.mountPoints.get(controller);
    return mountPoint === undefined ? undefined : path.join(mountPoint, cgroup);
  }

  // Fills an empty cpuset from its parents, which may be empty too: an empty cpuset accepts no process.
  private async fillCpuset(directory: string, isNew: boolean): Promise<void> {
    await Promise.all(
      cpusetFiles.map(async (file) => {
        const value = isNew ? '' : await this.files.read(path.join(directory, file));
        if (value !== '') return;
        const inherited = await this.inheritedCpuset(path.dirname(directory), file);
        await this.files.write(path.join(directory, file), inherited);
      }),
    );
  }

  private async inheritedCpuset(directory: string, file: string): Promise<string> {
    const value = await this.files.read(path.join(directory, file));
    if (value !== '' || directory === this.mountPoints.get('cpuset')) return value;
    const inherited = await this.inheritedCpuset(path.dirname(directory), file);
    await this.files.write(path.join(directory, file), inherited).catch((error: unknown) => {
      // Not our cgroup: a later kernel error reports what is wrong with it.
      if (!isRefused(error) && !isAbsent(error)) throw error;
    });
    return inherited;
  }
}
