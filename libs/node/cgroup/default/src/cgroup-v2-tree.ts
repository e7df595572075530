import path from 'node:path';
import type { PodCgroupResources } from '@podwright/cgroup-interface';
import type { CgroupFiles } from './cgroup-files.js';
import { isAbsent, sharesToWeight, weightToShares } from '@podwright/cgroup-files';
import { quotedName, usedControllers, type CgroupTree, type OnRefused } from './cgroup-tree.js';
import { v2Writes, type CgroupValues } from './cgroup-values.js';
import { writeCgroupFiles } from './write-cgroup-files.js';

/** Cgroups in the single v2 hierarchy, where each level enables its controllers for the next. */
export class CgroupV2Tree implements CgroupTree {
  private available: readonly string[] | undefined;

  constructor(
    private readonly files: CgroupFiles,
    private readonly mountPoint: string,
  ) {}

  async isPresent(cgroup: string): Promise<boolean> {
    return this.files.exists(path.join(this.mountPoint, cgroup));
  }

  async isEmpty(cgroup: string): Promise<boolean> {
    return (await this.files.subdirectories(path.join(this.mountPoint, cgroup))).length === 0;
  }

  async fault(cgroup: string, name = quotedName(cgroup)): Promise<string | undefined> {
    const needed = await this.needed();
    const enabled = await this.words(cgroup, 'cgroup.controllers').catch((error: unknown) => {
      if (isAbsent(error)) return undefined;
      throw error;
    });
    if (enabled === undefined) {
      const file = path.join(this.mountPoint, cgroup, 'cgroup.controllers');
      return `could not read controllers for cgroup ${name}: open ${file}: no such file or directory`;
    }
    const missing = needed.filter((name) => !enabled.includes(name));
    if (missing.length === 0) return undefined;
    return `cgroup ${name} has some missing controllers: ${missing.sort().join(', ')}`;
  }

  create(cgroup: string): Promise<boolean> {
    return this.files.makeDirectory(path.join(this.mountPoint, cgroup));
  }

  // From the top down, because a level can enable only the controllers that it has. Pods get no values of the others. As
  // upstream, enables also those in which nothing is set: the statistics of io are wanted all the same.
  async enableChildren(cgroup: string): Promise<readonly string[]> {
    const needed = await this.needed();
    const all = await this.words('', 'cgroup.controllers');
    const names = cgroup.split('/').filter((name) => name !== '');
    for (let depth = 0; depth <= names.length; depth += 1) await this.passOn(names.slice(0, depth).join('/'), all);
    const passedOn = await this.words(cgroup, 'cgroup.subtree_control');
    this.available = needed.filter((name) => passedOn.includes(name));
    return needed.filter((name) => !passedOn.includes(name));
  }

  async write(cgroup: string, values: CgroupValues, onRefused?: OnRefused): Promise<void> {
    const directory = path.join(this.mountPoint, cgroup);
    const complete = await this.withQuota(cgroup, values);
    const needed = await this.needed();
    const directoryOf = (controller: string): string | undefined =>
      needed.includes(controller) ? directory : undefined;
    await writeCgroupFiles(this.files, v2Writes(complete, sharesToWeight), directoryOf, onRefused);
  }

  async read(cgroup: string): Promise<PodCgroupResources> {
    const needed = await this.needed();
    const [[quota, period], [weight], [limit]] = await Promise.all([
      needed.includes('cpu') ? this.words(cgroup, 'cpu.max') : [],
      needed.includes('cpu') ? this.words(cgroup, 'cpu.weight') : [],
      needed.includes('memory') ? this.words(cgroup, 'memory.max') : [],
    ]);
    return {
      ...(weight !== undefined && { cpuShares: weightToShares(Number(weight)) }),
      ...(quota !== undefined && { cpuQuotaUs: limitOf(quota) }),
      ...(period !== undefined && { cpuPeriodUs: Number(period) }),
      ...(limit !== undefined && { memoryLimitBytes: limitOf(limit) }),
    };
  }

  async memoryUsageBytes(cgroup: string): Promise<number> {
    if (!(await this.needed()).includes('memory')) return 0;
    return Number((await this.words(cgroup, 'memory.current'))[0]);
  }

  async discard(cgroup: string): Promise<void> {
    await Promise.allSettled([this.files.removeDirectory(path.join(this.mountPoint, cgroup))]);
  }

  private async passOn(cgroup: string, controllers: readonly string[]): Promise<void> {
    const passedOn = await this.words(cgroup, 'cgroup.subtree_control');
    const lacking = controllers.filter((name) => !passedOn.includes(name)).map((name) => `+${name}`);
    const file = path.join(this.mountPoint, cgroup, 'cgroup.subtree_control');
    if (lacking.length === 0) return;
    // One unavailable controller fails the whole line, so enable them one by one; the result shows which are missing.
    const fails = (): boolean => false;
    if (await this.files.write(file, lacking.join(' ')).then(() => true, fails)) return;
    for (const one of lacking) await this.files.write(file, one).catch(fails);
  }

  private async needed(): Promise<readonly string[]> {
    const known = this.available;
    if (known !== undefined) return known;
    const atTop = await this.words('', 'cgroup.controllers');
    return (this.available = usedControllers.v2.filter((name) => atTop.includes(name)));
  }

  // The kernel takes quota and period in one line; a period alone would remove the quota.
  private async withQuota(cgroup: string, values: CgroupValues): Promise<CgroupValues> {
    if (values.cpuPeriodUs === undefined || values.cpuQuotaUs !== undefined) return values;
    return { ...values, cpuQuotaUs: limitOf((await this.words(cgroup, 'cpu.max'))[0] ?? 'max') };
  }

  private async words(cgroup: string, file: string): Promise<readonly string[]> {
    const text = await this.files.read(path.join(this.mountPoint, cgroup, file));
    return text.split(/\s+/).filter((word) => word !== '');
  }
}

function limitOf(text: string): number {
  return text === 'max' ? -1 : Number(text);
}
