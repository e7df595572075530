import { readFile, readdir, readlink } from 'node:fs/promises';
import { isMissing, waitUntil } from './commands.js';
import type { LabLayout } from './layout.js';

export interface LabProcess {
  readonly pid: number;
  /** What it is to the lab: a program of ours, or something running in one of our containers. */
  readonly kind: 'program' | 'container';
  readonly command: string;
}

/** Programs that the lab starts, directly or through containerd. Others may name our paths in their arguments. */
const PROGRAMS = /^(containerd|containerd-shim-runc-v2|runc|docker-registry)$/;

/**
 * The lab's living processes, found without any record: programs by an argument below the lab's folders, and
 * containers' processes by the root file system they live in, which is a snapshot of the lab. Zombies have neither.
 */
export async function labProcesses(layout: LabLayout): Promise<LabProcess[]> {
  const ownNamespace = await readlink('/proc/self/ns/mnt');
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map((pid) => classify(pid, layout, ownNamespace)));
  return found.filter((process) => process !== undefined);
}

/** Kills until none is left: a shim that is going may still have started something. Throws when some will not die. */
export async function killLabProcesses(layout: LabLayout): Promise<void> {
  const gone = await waitUntil(
    async () => {
      const processes = await labProcesses(layout);
      for (const { pid } of processes) signal(pid, 'SIGKILL');
      return processes.length === 0;
    },
    { timeoutMs: 20_000 },
  );
  if (gone) return;
  const left = (await labProcesses(layout)).map(({ pid, command }) => `${pid} (${command})`);
  throw new Error(`processes of lab ${layout.name} do not die: ${left.join(', ')}`);
}

/** Whether the lab's containerd itself is alive, and as which process. */
export async function containerdPid(layout: LabLayout): Promise<number | undefined> {
  const processes = await labProcesses(layout);
  return processes.find(({ command }) => command.includes(`--config ${layout.configFile}`))?.pid;
}

/** Sends a signal; a process that is already gone is fine. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

async function classify(pid: number, layout: LabLayout, ownNamespace: string): Promise<LabProcess | undefined> {
  const argv = (await readProc(pid, 'cmdline')).split('\0').filter((part) => part !== '');
  if (argv.length === 0) return undefined;
  const command = argv.join(' ');
  const program = argv[0]?.split('/').at(-1) ?? '';
  if (PROGRAMS.test(program) && argv.some((part) => isBelow(part, layout))) return { pid, kind: 'program', command };
  const namespace = await readlink(`/proc/${pid}/ns/mnt`).catch(() => ownNamespace);
  if (namespace === ownNamespace) return undefined;
  const root = (await readProc(pid, 'mountinfo')).split('\n').find((line) => line.split(' ')[4] === '/');
  return root?.includes(`${layout.dataDir}/`) === true ? { pid, kind: 'container', command } : undefined;
}

function isBelow(argument: string, layout: LabLayout): boolean {
  const value = argument.replace(/^--?[\w-]+=/, '').replace(/^unix:\/\//, '');
  return value.startsWith(`${layout.runDir}/`) || value.startsWith(`${layout.dataDir}/`);
}

// A process may end between the listing and the read, in several ways; it then is no process of ours any more.
async function readProc(pid: number, file: string): Promise<string> {
  return readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
}
