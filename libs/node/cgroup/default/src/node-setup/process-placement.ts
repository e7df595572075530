import { readFile, readlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { controllersVersion, isAbsent, isRefused, ownCgroupOf, type CgroupHierarchy } from '@podwright/cgroup-files';
import { KubeletError, messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import type { CgroupFiles } from '../cgroup-files.js';

const ensurePeriodMs = 60_000;
const discoverPeriodMs = 300_000;
// New processes may appear during the move: upstream makes as many rounds.
const rounds = 11;

export interface ProcessPlacementDeps {
  readonly files: CgroupFiles;
  readonly hierarchies: readonly CgroupHierarchy[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** PID of this process; specs set another. */
  readonly pid?: number;
}

export interface ProcessPlacementOptions {
  readonly hostRoot: string;
  readonly kubeletCgroups: string;
  readonly systemCgroups: string;
  /** Undefined: unchanged. */
  readonly oomScoreAdj: number | undefined;
}

/**
 * Keeps this process and the system's processes in their configured cgroups and sets this process's oom_score_adj.
 * Source: kubernetes v1.36 pkg/kubelet/cm/container_manager_linux.go setupNode, ensureProcessInContainerWithOOMScore,
 * ensureSystemCgroups.
 */
export class ProcessPlacement {
  private readonly stopping = new AbortController();
  private loops: Promise<unknown> = Promise.resolve();
  private readonly told = new Set<string>();
  private readonly pid: number;

  constructor(
    private readonly deps: ProcessPlacementDeps,
    private readonly options: ProcessPlacementOptions,
  ) {
    this.pid = deps.pid ?? process.pid;
  }

  /** Resolves when the loops run. Rejects when the system's cgroup is the root. */
  async start(): Promise<void> {
    const { kubeletCgroups, systemCgroups, oomScoreAdj } = this.options;
    const { clock } = this.deps;
    const { signal } = this.stopping;
    if (systemCgroups === '/')
      throw new KubeletError('system container cannot be root ("/")', { code: 'failed-precondition' });
    const each = (periodMs: number, name: string, task: () => Promise<void>): Promise<void> =>
      clock.every(periodMs, () => task().catch((error: unknown) => this.tell(name, error)), signal);
    const loops: Promise<void>[] = [];
    if (systemCgroups !== '')
      loops.push(each(ensurePeriodMs, systemCgroups, () => this.moveSystemProcesses(systemCgroups)));
    if (kubeletCgroups !== '') loops.push(each(ensurePeriodMs, kubeletCgroups, () => this.placeKubelet()));
    else if (oomScoreAdj !== undefined) loops.push(each(discoverPeriodMs, 'kubelet', () => this.placeKubelet()));
    this.loops = Promise.all(loops);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loops;
  }

  private async placeKubelet(): Promise<void> {
    const { kubeletCgroups, oomScoreAdj } = this.options;
    if (!(await this.isHostProcess(this.pid))) {
      this.deps.logger.debug(2, 'PID is not running in the host namespace', { pid: this.pid });
      return;
    }
    const faults: unknown[] = [];
    if (kubeletCgroups !== '') await this.move(this.pid, kubeletCgroups).catch((error: unknown) => faults.push(error));
    if (oomScoreAdj !== undefined) await this.adjustOomScore(oomScoreAdj).catch((error: unknown) => faults.push(error));
    if (faults.length > 0)
      throw new KubeletError(faults.map(messageOf).join(', '), { code: 'internal', cause: faults[0] });
  }

  // If init is not readable, trust the operator, who configured the cgroup for this process.
  private async isHostProcess(pid: number): Promise<boolean> {
    const [init, own] = await Promise.all(
      [this.proc('1/ns/pid'), this.proc(`${pid}/ns/pid`)].map((file) =>
        readlink(file).catch((error: unknown) => {
          if (!isRefused(error)) throw error;
          return undefined;
        }),
      ),
    );
    return init === undefined || init === own;
  }

  private async move(pid: number, cgroup: string): Promise<void> {
    const current = ownCgroupOf(await readFile(this.proc(`${pid}/cgroup`), 'utf8'));
    if (current === cgroup) return;
    await this.enter(pid, cgroup).catch((error: unknown) => {
      const message = `failed to move PID ${pid} (in ${JSON.stringify(current ?? '')}) to ${JSON.stringify(cgroup)}: ${messageOf(error)}`;
      throw new KubeletError(message, { code: 'internal', cause: error });
    });
  }

  // Moves the process in all hierarchies and creates missing cgroups; uses paths with both drivers.
  private async enter(pid: number, cgroup: string): Promise<void> {
    const { files, hierarchies } = this.deps;
    const parts = cgroup.split('/').filter((part) => part !== '');
    const limiting = controllersVersion(hierarchies);
    for (const { mountPoint, version } of hierarchies) {
      if (version !== limiting) continue;
      for (let depth = 1; depth <= parts.length; depth += 1)
        await files.makeDirectory(path.join(mountPoint, ...parts.slice(0, depth)));
      const directory = path.join(mountPoint, ...parts);
      for (const file of ['cpuset.cpus', 'cpuset.mems'])
        if (version === 1) await this.inherit(mountPoint, directory, file);
      await files.write(path.join(directory, 'cgroup.procs'), `${pid}`);
    }
  }

  // A new v1 cpuset is empty and accepts no process.
  private async inherit(mountPoint: string, directory: string, file: string): Promise<string> {
    const { files } = this.deps;
    const value = await files.read(path.join(directory, file)).catch(() => undefined);
    if (value === undefined) return '';
    if (value !== '' || directory === mountPoint) return value;
    const above = await this.inherit(mountPoint, path.dirname(directory), file);
    await files.write(path.join(directory, file), above);
    return above;
  }

  private async moveSystemProcesses(cgroup: string): Promise<void> {
    const { logger } = this.deps;
    let fault: unknown;
    for (let round = 0; round < rounds; round += 1) {
      fault = undefined;
      const pids: number[] = [];
      for (const pid of await this.rootPids()) if (pid !== 1 && !(await this.isKernelThread(pid))) pids.push(pid);
      if (pids.length === 0) return;
      logger.debug(3, 'Moving non-kernel processes', { pids });
      for (const pid of pids) {
        await this.enter(pid, cgroup).catch((error: unknown) => {
          // The process has ended.
          if (isGone(error)) return;
          const message = `failed to move PID ${pid} into the system container ${JSON.stringify(cgroup)}: ${messageOf(error)}`;
          fault = new KubeletError(message, { code: 'internal', cause: error });
        });
      }
    }
    if (fault !== undefined) throw fault;
  }

  // On v1 upstream reads the devices hierarchy.
  private async rootPids(): Promise<readonly number[]> {
    const { hierarchies, files } = this.deps;
    const from = hierarchies.find(({ controllers }) => controllers.includes('devices')) ?? hierarchies[0];
    if (from === undefined) return [];
    const text = await files.read(path.join(from.mountPoint, 'cgroup.procs'));
    return text
      .split('\n')
      .map(Number)
      .filter((pid) => pid > 0);
  }

  // A kernel thread has no executable.
  private async isKernelThread(pid: number): Promise<boolean> {
    return readlink(this.proc(`${pid}/exe`)).then(() => false, isAbsent);
  }

  private async adjustOomScore(score: number): Promise<void> {
    const file = this.proc(`${this.pid}/oom_score_adj`);
    if (Number(await readFile(file, 'utf8')) === score) return;
    await writeFile(file, `${score}`, { flag: 'r+' }).catch((error: unknown) => {
      const message = `failed to apply oom score ${score} to PID ${this.pid}: ${messageOf(error)}`;
      throw new KubeletError(message, { code: isRefused(error) ? 'permission-denied' : 'internal', cause: error });
    });
  }

  private proc(file: string): string {
    return path.join(this.options.hostRoot, 'proc', file);
  }

  // Logs once: the same failure repeats each minute.
  private tell(name: string, error: unknown): void {
    const text = `${name} ${messageOf(error)}`;
    if (this.told.has(text)) return;
    if (this.told.size < 100) this.told.add(text);
    this.deps.logger.warn('Failed to ensure state: is this process allowed to (CAP_SYS_RESOURCE, CAP_SYS_ADMIN)?', {
      containerName: name,
      error,
    });
  }
}

function isGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ESRCH';
}
