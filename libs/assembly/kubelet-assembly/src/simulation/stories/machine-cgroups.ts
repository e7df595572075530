import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { access, mkdir, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { defineModule, type AnyModule } from '@podwright/assembly-interface';
import { CGROUP_FILES, type CgroupFiles } from '@podwright/cgroup';
import { absentIs, podUidOf } from '@podwright/cgroup-files';
import type { SimulatedMachine } from '../simulated-machine.js';
import type { Scene } from './promises.js';

/** What a new cgroup has in its files. */
const initial: Readonly<Record<string, string>> = {
  'cgroup.controllers': 'cpuset cpu io memory hugetlb pids',
  'cgroup.subtree_control': 'cpuset cpu io memory hugetlb pids',
  'cpu.weight': '100',
  'cpu.max': 'max 100000',
  'cpuset.cpus': '',
  'memory.max': 'max',
  'memory.current': '0',
  'memory.min': '0',
  'memory.low': '0',
  'pids.max': 'max',
};
const tiers = ['kubepods', 'kubepods/burstable', 'kubepods/besteffort'];

/**
 * The cgroups (v2) of a machine. Their directories are on the disk, and so an operation of a kubelet can be its last;
 * their files are in memory. A cgroup in which something runs cannot be removed.
 */
export class MachineCgroups implements CgroupFiles {
  readonly module: AnyModule = defineModule({
    name: 'machine-cgroups',
    provides: [CGROUP_FILES],
    create: () => this,
  });
  /** What was written, by path. */
  private readonly written = new Map<string, string>();
  /** Directories above containers that are on the disk; asking the disk each time would be a twentieth of a story. */
  private readonly made = new Set<string>();
  private readonly top: string;

  constructor(
    machine: SimulatedMachine,
    private readonly scene: () => Pick<Scene, 'runtime'> | undefined,
  ) {
    this.top = path.join(path.dirname(machine.mountInfoFile), 'cgroup');
    mkdirSync(this.top);
    writeFileSync(machine.mountInfoFile, `30 1 0:26 / ${this.top} rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n`);
  }

  async makeDirectory(directory: string): Promise<boolean> {
    return mkdir(directory).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false;
        throw error;
      },
    );
  }

  async removeDirectory(directory: string): Promise<void> {
    if (!(await this.exists(directory))) return;
    if (this.parents().has(directory)) fail('EBUSY', directory);
    await rmdir(directory).catch(absentIs(undefined));
    this.made.delete(directory);
    this.forget(directory);
  }

  async exists(place: string): Promise<boolean> {
    return access(place).then(() => true, absentIs(false));
  }

  async subdirectories(directory: string): Promise<readonly string[]> {
    return [...namesIn(directory), ...(this.parents().has(directory) ? ['container'] : [])];
  }

  async read(file: string): Promise<string> {
    await access(path.dirname(file));
    return this.written.get(file) ?? initial[path.basename(file)] ?? fail('ENOENT', file);
  }

  async write(file: string, content: string): Promise<void> {
    await access(path.dirname(file));
    if (initial[path.basename(file)] === undefined) fail('ENOENT', file);
    this.written.set(file, content);
  }

  /** The cgroups of pods, by UID, each as its path below the mount point. */
  get pods(): ReadonlyMap<string, string> {
    return new Map(
      tiers.flatMap((tier) =>
        namesIn(path.join(this.top, tier)).flatMap((name) => {
          const uid = podUidOf('cgroupfs', name);
          return uid === undefined ? [] : [[uid, path.join(tier, name)] as const];
        }),
      ),
    );
  }

  /** A file of a cgroup, `cpu.max` for example. */
  value(cgroup: string, file: string): string | undefined {
    return this.written.get(path.join(this.top, cgroup, file)) ?? initial[file];
  }

  /** As a runtime does, makes the cgroups above those of its containers that somebody has removed, or never made. */
  makeMissing(): void {
    for (const directory of this.parents()) {
      if (this.made.has(directory)) continue;
      mkdirSync(directory, { recursive: true });
      this.made.add(directory);
    }
  }

  /** No cgroup survives the end of all processes. */
  reboot(): void {
    for (const name of namesIn(this.top)) rmSync(path.join(this.top, name), { recursive: true });
    this.written.clear();
    this.made.clear();
  }

  /** Of all sandboxes and containers that run. */
  private parents(): ReadonlySet<string> {
    const control = this.scene()?.runtime.control;
    const running = new Set(control?.containers().flatMap((each) => (each.running ? [each.podSandboxId] : [])));
    const sandboxes = control?.sandboxes.filter(({ ready, id }) => ready || running.has(id)) ?? [];
    return new Set(sandboxes.map(({ config }) => path.join(this.top, config.linux?.cgroupParent ?? '')));
  }

  private forget(directory: string): void {
    for (const file of this.written.keys()) if (file.startsWith(`${directory}/`)) this.written.delete(file);
  }
}

const namesIn = (directory: string): readonly string[] => (existsSync(directory) ? readdirSync(directory) : []);

function fail(code: string, file: string): never {
  throw Object.assign(new Error(`${code}: ${file}`), { code });
}
