import { readTraces, leftovers, removeLab, type Leftovers } from './cleanup.js';
import { runCommand, waitUntil } from './commands.js';
import { waitForCri } from './cri-ready.js';
import { crioFiles } from './crio-config.js';
import { startDaemon, waitForListener } from './daemons.js';
import type { LabImages } from './images/test-images.js';
import { labLayout, type LabLayout } from './layout.js';
import { forgetIdentity } from './owner.js';
import { runtimePid, signal } from './processes.js';
import { readRecord, type LabRecord, type LabRuntime } from './record.js';

/** A private containerd or CRI-O with test images. `startLab` makes one; {@link openLab} finds a running one. */
export class Lab {
  constructor(
    readonly layout: LabLayout,
    private readonly record: LabRecord,
    private readonly log: (line: string) => void,
  ) {}

  get name(): string {
    return this.layout.name;
  }
  /** CRI endpoint, `unix:///...`. */
  get endpoint(): string {
    return `unix://${this.socket}`;
  }
  /** Path of the runtime's socket. */
  get socket(): string {
    return this.record.runtime === 'cri-o' ? this.layout.crioSocket : this.layout.socket;
  }
  get runtime(): LabRuntime {
    return this.record.runtime;
  }
  /** The lab's own folder, removed with the lab. Its path is short enough for sockets. */
  get dir(): string {
    return this.layout.runDir;
  }
  get images(): LabImages {
    return this.record.images;
  }
  /** An existing cgroup for `--cgroup-root`: everything in it is removed with the lab. */
  get cgroupRoot(): string {
    return this.layout.cgroupRoot;
  }
  /** `10.x.y.0/24` of the pods, and the bridge's address, which serves as a node IP. */
  get network(): LabRecord['network'] {
    return this.record.network;
  }
  get portMappings(): boolean {
    return this.record.portMappings;
  }
  /** Address of the local registry and the image in it, when the lab has one. */
  get registry(): LabRecord['registry'] {
    return this.record.registry;
  }
  /** PATH and library path with the lab's tools, and the variables that CRI and containerd clients read. */
  get env(): Record<string, string> {
    return {
      ...this.record.env,
      ...(this.runtime === 'containerd' && { CONTAINERD_ADDRESS: this.socket, CONTAINERD_NAMESPACE: 'k8s.io' }),
      CONTAINER_RUNTIME_ENDPOINT: this.endpoint,
    };
  }

  /** Runs containerd's own client in the namespace of Kubernetes. Resolves with its output; rejects when it fails. */
  async ctr(args: readonly string[]): Promise<string> {
    if (this.runtime !== 'containerd') throw new Error(`lab ${this.name} runs ${this.runtime}, which has no ctr`);
    return runCommand(this.record.ctr, ['--address', this.layout.socket, '--namespace', 'k8s.io', ...args], {
      env: { ...process.env, ...this.env },
    });
  }

  async running(): Promise<boolean> {
    return (await runtimePid(this.layout)) !== undefined;
  }

  /** Kills the runtime as a crash would: containers and their shims or monitors keep running. */
  async killRuntime(): Promise<void> {
    const pid = await runtimePid(this.layout);
    if (pid === undefined) return;
    signal(pid, 'SIGKILL');
    const gone = await waitUntil(async () => !(await this.running()), { timeoutMs: 10_000 });
    if (!gone) throw new Error(`${this.runtime} (pid ${pid}) does not exit`);
  }

  /** Starts the runtime; resolves when it accepts connections and CRI answers. */
  async startRuntime(): Promise<void> {
    const { layout, record } = this;
    const folder = record.runtime === 'cri-o' ? ['--config-dir', crioFiles(layout).configDir] : [];
    await startDaemon(record.daemon, ['--config', layout.configFile, ...folder], {
      env: { ...process.env, ...record.env, ...record.daemonEnv },
      logFile: layout.logFile,
    });
    await waitForListener(
      { path: this.socket },
      { what: record.runtime, logFile: layout.logFile, alive: () => this.running() },
    );
    await waitForCri(this.endpoint);
  }

  /** Kills the runtime if it is running, and starts it again with the same state. */
  async restartRuntime(): Promise<void> {
    await this.killRuntime();
    await this.startRuntime();
  }

  /** Everything that the lab has on the machine. */
  async leftovers(): Promise<Leftovers> {
    return leftovers(this.layout, await readTraces(this.layout));
  }

  /** Keeps the lab when the process that owns it ends. */
  release(): Promise<void> {
    return forgetIdentity(this.layout.ownerFile);
  }

  /** Removes the lab: processes, mounts, namespaces, devices, cgroups, folders. Throws when something remains. */
  stop(): Promise<void> {
    return removeLab(this.layout, this.log);
  }
}

/** Opens a running lab, whichever process started it; undefined when there is none. */
export async function openLab(name: string, log: (line: string) => void = () => undefined): Promise<Lab | undefined> {
  const layout = labLayout(name);
  const record = await readRecord(layout);
  return record === undefined ? undefined : new Lab(layout, record, log);
}
