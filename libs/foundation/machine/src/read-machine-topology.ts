import { parseCpuList } from '@podwright/kubelet-configuration';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { readCores } from './machine-cores.js';
import { meminfoBytes, readHugePages, type MachinePlaces } from './machine-facts.js';
import { cpusIn, namesIn, textOf, wholeNumber } from './machine-files.js';
import type { MachineTopology, NumaNode } from './machine-topology.js';

/**
 * Reads the machine's topology. On a kernel without NUMA, each socket becomes a node without memory. Rejects with the
 * name of the file that could not be read. Source: kubernetes v1.36
 * vendor/github.com/google/cadvisor/utils/sysinfo/sysinfo.go.
 */
export async function readMachineTopology({ hostRoot }: Pick<MachinePlaces, 'hostRoot'>): Promise<MachineTopology> {
  const system = path.join(hostRoot, 'sys/devices/system');
  const cpuRoot = path.join(system, 'cpu');
  const isOnline = await onlineCpus(cpuRoot);
  const names = (await namesIn(path.join(system, 'node'))).filter((name) => /^node\d+$/.test(name));
  const nodes =
    names.length > 0
      ? await Promise.all(names.map((name) => readNode(path.join(system, 'node', name), cpuRoot, isOnline)))
      : await nodesOfSockets(cpuRoot, isOnline);
  return {
    nodes,
    // As upstream: on a kernel without NUMA nodes, offline CPUs count, too.
    cpuCount: names.length > 0 ? threadsIn(nodes) : (await cpusIn(cpuRoot)).length,
    socketCount: await countSockets(hostRoot, cpuRoot, isOnline),
  };
}

async function onlineCpus(cpuRoot: string): Promise<(cpu: number) => boolean> {
  const file = path.join(cpuRoot, 'online');
  const text = await textOf(file).catch(() => 'unreadable');
  if (text === undefined) return () => true;
  if (!/^[\d,-]*$/.test(text)) return () => false;
  const online = new Set(parseCpuList(text));
  return (cpu) => online.has(cpu);
}

async function readNode(folder: string, cpuRoot: string, isOnline: (cpu: number) => boolean): Promise<NumaNode> {
  const cpus = await cpusIn(folder);
  const [cores, memoryBytes, hugePages, distances] = await Promise.all([
    readCores(cpuRoot, cpus, isOnline),
    readMemory(path.join(folder, 'meminfo')),
    readHugePages(path.join(folder, 'hugepages')),
    readDistances(path.join(folder, 'distance')),
  ]);
  const id = Number(path.basename(folder).slice('node'.length));
  return { id, cores, memoryBytes, hugePages, ...(distances !== undefined && { distances }) };
}

/** Reads the line `Node 0 MemTotal: <n> kB`, in bytes; 0 when the file cannot be read. */
async function readMemory(file: string): Promise<number> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return 0;
  const bare = text.replace(/^Node \d+ /gm, '');
  if (!/^MemTotal:\s+\d+ kB$/m.test(bare)) throw new Error(`${file} has no MemTotal`);
  return meminfoBytes(bare, 'MemTotal');
}

async function readDistances(file: string): Promise<readonly number[] | undefined> {
  const text = await textOf(file).catch(() => undefined);
  return text?.split(/\s+/).map((distance) => wholeNumber(distance, file));
}

async function nodesOfSockets(cpuRoot: string, isOnline: (cpu: number) => boolean): Promise<readonly NumaNode[]> {
  const cpus = await cpusIn(cpuRoot);
  if (cpus.length === 0) throw new Error(`no CPU is available, cpusPath: ${cpuRoot}`);
  const bySocket = new Map<number, number[]>();
  for (const cpu of cpus) {
    const socket = await socketOf(cpuRoot, cpu);
    if (socket === undefined) continue;
    bySocket.set(socket, [...(bySocket.get(socket) ?? []), cpu]);
  }
  return Promise.all(
    [...bySocket].map(async ([id, ofSocket]) => ({
      id,
      cores: await readCores(cpuRoot, ofSocket, isOnline),
      memoryBytes: 0,
      hugePages: [],
    })),
  );
}

async function socketOf(cpuRoot: string, cpu: number): Promise<number | undefined> {
  const file = path.join(cpuRoot, `cpu${cpu}`, 'topology', 'physical_package_id');
  const text = await textOf(file);
  return text === undefined ? undefined : wholeNumber(text, file);
}

async function countSockets(hostRoot: string, cpuRoot: string, isOnline: (cpu: number) => boolean): Promise<number> {
  const cpuinfo = await readFile(path.join(hostRoot, 'proc/cpuinfo'), 'utf8').catch(() => '');
  const named = new Set([...cpuinfo.matchAll(/^physical id\s*:\s*(\d+)/gm)].map(([, id]) => id));
  if (named.size > 0) return named.size;
  const cpus = (await cpusIn(cpuRoot)).filter(isOnline);
  return new Set(await Promise.all(cpus.map(async (cpu) => (await socketOf(cpuRoot, cpu)) ?? 0))).size;
}

function threadsIn(nodes: readonly NumaNode[]): number {
  return nodes.flatMap(({ cores }) => cores).reduce((sum, { threads }) => sum + threads.length, 0);
}
