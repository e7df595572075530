import path from 'node:path';
import { namesIn, textOf, wholeNumber } from './machine-files.js';
import type { MachineCore, UncoreCache } from './machine-topology.js';

interface CpuPlace {
  readonly cpu: number;
  readonly coreId: number;
  readonly socketId: number;
  /** Only on mainframes, whose core ids repeat in each book and drawer. */
  readonly book: string;
}

interface Cache extends UncoreCache {
  readonly cpus: number;
}

const firstUncoreLevel = 3;
// Enough for the map of a machine with 65536 CPUs; a longer file is not the kernel's.
const longestCpuMap = 32_768;

/** The cores of all online CPUs whose topology is known. Rejects with the name of the file that could not be read. */
export async function readCores(
  cpuRoot: string,
  cpus: readonly number[],
  isOnline: (cpu: number) => boolean,
): Promise<readonly MachineCore[]> {
  const places = await Promise.all(cpus.filter(isOnline).map((cpu) => readPlace(cpuRoot, cpu)));
  const cores = new Map<string, { coreId: number; socketId: number; threads: number[] }>();
  for (const place of places) {
    if (place === undefined) continue;
    const { cpu, coreId, socketId, book } = place;
    const key = `${book}/${socketId}/${coreId}`;
    const core = cores.get(key);
    if (core === undefined) cores.set(key, { coreId, socketId, threads: [cpu] });
    else core.threads.push(cpu);
  }
  return withUncoreCaches(cpuRoot, [...cores.values()]);
}

async function readPlace(cpuRoot: string, cpu: number): Promise<CpuPlace | undefined> {
  const file = (name: string): string => path.join(cpuRoot, `cpu${cpu}`, 'topology', name);
  const names = ['core_id', 'physical_package_id', 'book_id', 'drawer_id'];
  const [core, socket, book = '', drawer = ''] = await Promise.all(names.map((name) => textOf(file(name))));
  if (core === undefined || socket === undefined) return undefined;
  return {
    cpu,
    coreId: wholeNumber(core, file('core_id')),
    socketId: wholeNumber(socket, file('physical_package_id')),
    book: `${drawer}/${book}`,
  };
}

// A virtual machine may not report caches. As upstream, keeps the caches of the cores before the first failure.
async function withUncoreCaches(
  cpuRoot: string,
  cores: readonly Omit<MachineCore, 'uncoreCaches'>[],
): Promise<readonly MachineCore[]> {
  const read = await Promise.all(cores.map(({ threads }) => readCaches(cpuRoot, threads[0] ?? 0)));
  const firstFault = read.indexOf(undefined);
  return cores.map((core, index) => {
    const caches = firstFault >= 0 && index >= firstFault ? [] : (read[index] ?? []);
    const ofNode = cores.length * core.threads.length;
    const uncore = caches.filter(({ level, cpus }) => level >= firstUncoreLevel && cpus !== ofNode);
    return { ...core, uncoreCaches: distinct(uncore) };
  });
}

async function readCaches(cpuRoot: string, cpu: number): Promise<readonly Cache[] | undefined> {
  const folder = path.join(cpuRoot, `cpu${cpu}`, 'cache');
  const names = (await namesIn(folder)).filter((name) => name.startsWith('index'));
  if (names.length === 0) return undefined;
  try {
    return await Promise.all(names.map((name) => readCache(path.join(folder, name))));
  } catch {
    // No need to report the file: without caches the managers work with sockets.
    return undefined;
  }
}

async function readCache(folder: string): Promise<Cache> {
  const read = async (name: string): Promise<string> => {
    const text = await textOf(path.join(folder, name));
    if (text === undefined) throw new Error(`${folder}/${name} is missing`);
    return text;
  };
  const [id, size, level, type, map] = await Promise.all([
    read('id'),
    read('size'),
    read('level'),
    read('type'),
    read('shared_cpu_map'),
  ]);
  return {
    id: wholeNumber(id, path.join(folder, 'id')),
    sizeBytes: wholeNumber(size.replace(/K$/, ''), path.join(folder, 'size')) * 1024,
    level: wholeNumber(level, path.join(folder, 'level')),
    type,
    cpus: bitsIn(map),
  };
}

/** Counts the bits in a map of hexadecimal words, separated by commas. */
function bitsIn(map: string): number {
  if (map.length > longestCpuMap || !/^[0-9a-f,]+$/i.test(map)) throw new Error('no map of CPUs');
  let bits = 0;
  for (const digit of map.replaceAll(',', '')) bits += (parseInt(digit, 16).toString(2).match(/1/g) ?? []).length;
  return bits;
}

function distinct(caches: readonly Cache[]): readonly UncoreCache[] {
  const found = new Map(
    caches.map(({ id, sizeBytes, level, type }) => [
      `${id}/${sizeBytes}/${level}/${type}`,
      { id, sizeBytes, level, type },
    ]),
  );
  return [...found.values()];
}
