import { parseCpuList } from '@podwright/kubelet-configuration';
import { readFile, readdir, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/**
 * Facts about the machine, from the kernel. Sizes are in bytes; a text is empty when the machine does not report it.
 */
export interface MachineFacts {
  readonly cores: number;
  readonly memoryBytes: number;
  readonly swapBytes: number;
  /** Huge pages per size, sorted by size, including sizes without pages. */
  readonly hugePages: readonly { readonly sizeBytes: number; readonly pages: number }[];
  /** Size of the file system of the root folder; undefined when it cannot be read. */
  readonly rootFsBytes: bigint | undefined;
  readonly machineId: string;
  readonly systemUuid: string;
  readonly bootId: string;
  readonly kernelVersion: string;
  readonly osImage: string;
  /** In Go's spelling: `amd64`, `arm64`, ... */
  readonly architecture: string;
}

/** The folders that {@link readMachineFacts} reads. */
export interface MachinePlaces {
  /** The folder that contains `proc`, `sys` and `etc`. */
  readonly hostRoot: string;
  readonly rootDir: string;
  /** Files with the machine's ID, by comma; the first readable one counts. Default: {@link defaultMachineIdFile}. */
  readonly machineIdFile?: string;
  /** The same for the ID of this boot. Default: {@link defaultBootIdFile}. */
  readonly bootIdFile?: string;
}

export const defaultMachineIdFile = '/etc/machine-id,/var/lib/dbus/machine-id';
export const defaultBootIdFile = '/proc/sys/kernel/random/boot_id';

/** Reads the machine's facts. Rejects only when its memory is unknown, because the node could admit no pod then. */
export async function readMachineFacts({
  hostRoot,
  rootDir,
  machineIdFile = defaultMachineIdFile,
  bootIdFile = defaultBootIdFile,
}: MachinePlaces): Promise<MachineFacts> {
  const read = (file: string): Promise<string> => readFile(path.join(hostRoot, file), 'utf8');
  const orEmpty = (file: string): Promise<string> => read(file).catch(() => '');
  const meminfo = await read('proc/meminfo');
  const [online, cpuinfo, id, productUuid, bootId, release, hugePages, rootFs] = await Promise.all([
    orEmpty('sys/devices/system/cpu/online'),
    orEmpty('proc/cpuinfo'),
    firstReadable(machineIdFile, read),
    orEmpty('sys/class/dmi/id/product_uuid'),
    firstReadable(bootIdFile, read),
    orEmpty('etc/os-release'),
    readHugePages(path.join(hostRoot, 'sys/kernel/mm/hugepages')),
    statfs(rootDir, { bigint: true }).catch(() => undefined),
  ]);
  return {
    cores: coresOf(online, cpuinfo),
    memoryBytes: meminfoBytes(meminfo, 'MemTotal'),
    swapBytes: meminfoBytes(meminfo, 'SwapTotal'),
    hugePages,
    rootFsBytes: rootFs === undefined ? undefined : rootFs.blocks * rootFs.bsize,
    machineId: id,
    // A container or a board without DMI has no product UUID; like cAdvisor, use the machine's id then.
    systemUuid: productUuid.trim() || id,
    bootId,
    kernelVersion: os.release(),
    osImage: /^PRETTY_NAME=(["']?)(.*)\1$/m.exec(release)?.[2] ?? 'Unknown',
    architecture: goArchitecture(os.arch()),
  };
}

/** Content of the first file that can be read; empty when none can. */
async function firstReadable(files: string, read: (file: string) => Promise<string>): Promise<string> {
  for (const file of files.split(',')) {
    const text = await read(file).catch(() => undefined);
    if (text !== undefined) return text.trim();
  }
  return '';
}

/** A value of /proc/meminfo, such as `MemTotal`, in bytes; 0 when it is missing. */
export function meminfoBytes(meminfo: string, name: string): number {
  const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(meminfo)?.[1];
  return Number(kibibytes ?? 0) * 1024;
}

/** Go's name of an architecture that Node calls `arch`. */
export function goArchitecture(arch: string): string {
  return { x64: 'amd64', ia32: '386', ppc64: 'ppc64le' }[arch] ?? arch;
}

// Not os.availableParallelism(), which counts only the CPUs that this process may use: the node offers all online CPUs.
function coresOf(online: string, cpuinfo: string): number {
  if (online.trim() !== '') return parseCpuList(online.trim()).length;
  return [...cpuinfo.matchAll(/^processor\s*:/gm)].length || os.cpus().length;
}

/** Huge pages of the machine or of one NUMA node, sorted by size; none when the folder is missing. */
export async function readHugePages(folder: string): Promise<MachineFacts['hugePages']> {
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names.map(async (name) => {
      const kibibytes = /^hugepages-(\d+)kB$/.exec(name)?.[1];
      if (kibibytes === undefined) return [];
      const pages = await readFile(path.join(folder, name, 'nr_hugepages'), 'utf8').catch(() => '0');
      return [{ sizeBytes: Number(kibibytes) * 1024, pages: Number(pages.trim()) || 0 }];
    }),
  );
  return found.flat().sort((left, right) => left.sizeBytes - right.sizeBytes);
}
