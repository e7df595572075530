import { readFile, readdir, readlink } from 'node:fs/promises';
import { parseMountTable } from '@podwright/filesystem';
import { isMissing, waitUntil } from './commands.js';
import type { LabLayout } from './layout.js';

export interface LabProcess {
  readonly pid: number;
  /** A program of the lab, or a process in one of its containers. */
  readonly kind: 'program' | 'container';
  readonly command: string;
}

/**
 * Programs that the lab starts, directly or through its runtime. Other programs may have the lab's paths in their
 * arguments.
 */
const PROGRAMS = /^(containerd|containerd-shim-runc-v2|runc|lab-runc|crio|conmon|pinns|docker-registry)$/;

/**
 * Finds the lab's running processes without any record: programs by an argument below the lab's folders, and processes
 * in containers by their root file system, which is a snapshot of the lab. Zombies have neither.
 */
export async function labProcesses(layout: LabLayout): Promise<LabProcess[]> {
  const ownNamespace = await readlink('/proc/self/ns/mnt');
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map((pid) => classify(pid, layout, ownNamespace)));
  return found.filter((process) => process !== undefined);
}

/** Kills processes until none is left, because an exiting shim may still start one. Throws when some do not exit. */
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
  throw new Error(`processes of lab ${layout.name} do not exit: ${left.join(', ')}`);
}

/** Pid of the lab's containerd or CRI-O; undefined when it is not running. */
export async function runtimePid(layout: LabLayout): Promise<number | undefined> {
  const processes = await labProcesses(layout);
  return processes.find(({ command }) => command.includes(`--config ${layout.configFile}`))?.pid;
}

/** Sends a signal; ignores a process that has already exited. */
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
  const root = parseMountTable(await readProc(pid, 'mountinfo')).find(({ mountPoint }) => mountPoint === '/');
  const isOurs = [root?.root, root?.source, ...(root?.superOptions ?? [])].some((text) =>
    text?.includes(`${layout.dataDir}/`),
  );
  return isOurs ? { pid, kind: 'container', command } : undefined;
}

function isBelow(argument: string, layout: LabLayout): boolean {
  const value = argument.replace(/^--?[\w-]+=/, '').replace(/^unix:\/\//, '');
  return value.startsWith(`${layout.runDir}/`) || value.startsWith(`${layout.dataDir}/`);
}

// A process may exit between the listing and the read, which gives various errors; it then does not count.
async function readProc(pid: number, file: string): Promise<string> {
  return readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
}
