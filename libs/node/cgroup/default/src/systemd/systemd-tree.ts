import path from 'node:path';
import { sharesToWeight } from '@podwright/cgroup-files';
import type { PodCgroupResources } from '@podwright/cgroup-interface';
import { quotedName, type CgroupTree, type OnRefused } from '../cgroup-tree.js';
import type { CgroupValues } from '../cgroup-values.js';
import { newSliceProperties, roundedQuota, valueProperties } from './slice-properties.js';
import type { SystemdUnits } from './systemd-units.js';

/** Unit of a cgroup: the last part of its path. */
export function unitOf(cgroup: string): string {
  return path.posix.basename(cgroup);
}

/**
 * Cgroups that are systemd slices: systemd creates and removes them and manages their values; values without a systemd
 * property go to the files. Source: opencontainers/cgroups v0.0.6 systemd/v1.go, systemd/v2.go.
 */
export class SystemdTree implements CgroupTree {
  constructor(
    private readonly units: SystemdUnits,
    private readonly files: CgroupTree,
    private readonly version: 1 | 2,
  ) {}

  fault(cgroup: string): Promise<string | undefined> {
    return this.files.fault(cgroup, quotedName(cgroup, 'systemd'));
  }

  isPresent(cgroup: string): Promise<boolean> {
    return this.files.isPresent(cgroup);
  }

  isEmpty(cgroup: string): Promise<boolean> {
    return this.files.isEmpty(cgroup);
  }

  async create(cgroup: string): Promise<boolean> {
    const parent = path.posix.dirname(cgroup);
    const unit = unitOf(cgroup);
    const slice = parent === '/' ? '-.slice' : unitOf(parent);
    const started = await this.units.startTransient(unit, newSliceProperties(unit, slice, this.version));
    // systemd creates only what it uses: on v1 not every hierarchy, on v2 no controllers that it does not know.
    await this.files.enableChildren(parent);
    return (await this.files.create(cgroup)) || started;
  }

  enableChildren(cgroup: string): Promise<readonly string[]> {
    return this.files.enableChildren(cgroup);
  }

  async write(cgroup: string, given: CgroupValues, onRefused?: OnRefused): Promise<void> {
    const values = roundedQuota(given);
    const properties = valueProperties(values, this.version, await this.units.version(), sharesToWeight);
    await this.units.setProperties(unitOf(cgroup), properties);
    await this.files.write(cgroup, values, onRefused);
  }

  read(cgroup: string): Promise<PodCgroupResources> {
    return this.files.read(cgroup);
  }

  memoryUsageBytes(cgroup: string): Promise<number> {
    return this.files.memoryUsageBytes(cgroup);
  }

  async discard(cgroup: string): Promise<void> {
    await Promise.allSettled([this.units.stop(unitOf(cgroup))]);
    await this.files.discard(cgroup);
  }
}
