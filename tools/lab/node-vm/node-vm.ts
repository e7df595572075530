import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { defaultCacheDir, PackageStore } from '../packages.js';
import { bestAcceleration } from './acceleration.js';
import { findGuest, type GuestSystem } from './build-guest.js';
import { guestRecipe, type GuestRecipe } from './guest-recipe.js';
import { stagePrograms, type GuestPrograms } from './programs-disk.js';
import { qemuArguments, type Acceleration, type MachineLink } from './qemu-argv.js';
import { QemuProcess } from './qemu-process.js';
import { ReportReader, type ReportLine } from './report-lines.js';
import { VmTools } from './vm-tools.js';

export interface NodeVmOptions {
  readonly programs: GuestPrograms;
  readonly memoryMib: number;
  /** The guest's system; by default a node of the lab. */
  readonly recipe?: GuestRecipe;
  /** A cable to another machine. */
  readonly link?: MachineLink;
  readonly kernelArguments?: readonly string[];
  /** Uses this terminal as the console of the machine. */
  readonly terminal?: boolean;
  readonly cacheDir?: string;
  readonly log: (line: string) => void;
  readonly report?: (line: ReportLine) => void;
}

/**
 * A virtual machine without network, or with a cable to another one, that runs Debian with systemd, cgroup v2 and containerd 2, and one program in it.
 */
export class NodeVm {
  private constructor(
    private readonly qemu: QemuProcess,
    private readonly dir: string,
    readonly acceleration: Acceleration,
    private readonly store: PackageStore,
  ) {}

  /** Builds what the cache lacks and starts the machine. Resolves when QEMU runs, long before the guest is up. */
  static async start(options: NodeVmOptions): Promise<NodeVm> {
    const { log, programs, report = () => undefined } = options;
    const cacheDir = options.cacheDir ?? defaultCacheDir();
    const store = await PackageStore.open(cacheDir, log);
    try {
      const { tools, system, acceleration } = await prepareNodeVm(options.recipe ?? guestRecipe, cacheDir, store);
      log(`starting the virtual machine with ${acceleration}`);
      const dir = await store.workFolder('vm');
      const programsDisk = await stagePrograms(programs, dir, tools, acceleration);
      const terminal = options.terminal ?? false;
      const args = qemuArguments({
        kernel: system.kernel,
        systemDisk: system.disk,
        programsDisk,
        acceleration,
        memoryMib: options.memoryMib,
        cpus: 2,
        console: terminal ? 'terminal' : { file: path.join(dir, 'console.log') },
        ...(options.link !== undefined && { link: options.link }),
        ...(options.kernelArguments !== undefined && { kernelArguments: options.kernelArguments }),
      });
      const qemu = QemuProcess.start(tools.qemu, args, { terminal, tmpDir: dir });
      const reader = new ReportReader();
      qemu.child.stdout?.setEncoding('utf8').on('data', (piece: string) => reader.read(piece).forEach(report));
      return new NodeVm(qemu, dir, acceleration, store);
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  /** Resolves when the machine is off or QEMU has exited. */
  get ended(): Promise<number | null> {
    return this.qemu.ended;
  }

  /** The end of the output of the guest's console and of QEMU. */
  async lastWords(): Promise<string> {
    const console = await readFile(path.join(this.dir, 'console.log'), 'utf8').catch(() => '');
    return [console.slice(-4_000).trim(), this.qemu.complaints].filter((text) => text !== '').join('\n');
  }

  /** Kills the machine and removes its files; the cache stays. */
  async stop(): Promise<void> {
    await this.qemu.kill();
    await rm(this.dir, { recursive: true, force: true });
    await this.store.close();
  }
}

interface PreparedVm {
  readonly tools: VmTools;
  readonly system: GuestSystem;
  readonly acceleration: Acceleration;
}

/** Fetches and builds QEMU, the guest's system and the tools for them, unless they are in the cache. */
async function prepareNodeVm(recipe: GuestRecipe, cacheDir: string, store: PackageStore): Promise<PreparedVm> {
  const openStore = (): Promise<PackageStore> => Promise.resolve(store);
  const tools = await VmTools.find(cacheDir, openStore);
  const system = await findGuest(recipe, { cacheDir, tools, openStore });
  const acceleration = await bestAcceleration(system.kernel, (args) => QemuProcess.start(tools.qemu, args));
  return { tools, system, acceleration };
}
