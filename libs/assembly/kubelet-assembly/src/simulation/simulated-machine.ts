import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** What a simulated kubelet sees of its machine, in files that it only reads. */
export interface SimulatedMachine {
  readonly cores: number;
  readonly memoryBytes: number;
  readonly address: string;
  /** Parent of its `proc` and `sys`. */
  readonly hostRoot: string;
  readonly mountInfoFile: string;
}

/** Writes the files of a machine below `dir`. Default: two cores, 8 GiB of memory; it has no AppArmor and no mounts. */
export async function createSimulatedMachine(
  dir: string,
  facts: Partial<Pick<SimulatedMachine, 'cores' | 'memoryBytes' | 'address'>> & { readonly osImage?: string } = {},
): Promise<SimulatedMachine> {
  const { cores = 2, memoryBytes = 8 * 2 ** 30, address = '192.0.2.1', osImage = '' } = facts;
  const hostRoot = path.join(dir, 'host');
  const mountInfoFile = path.join(dir, 'mountinfo');
  const cpus = path.join(hostRoot, 'sys/devices/system/cpu');
  await mkdir(path.join(hostRoot, 'proc'), { recursive: true });
  await mkdir(cpus, { recursive: true });
  await writeFile(mountInfoFile, '');
  if (osImage !== '') {
    await mkdir(path.join(hostRoot, 'etc'));
    await writeFile(path.join(hostRoot, 'etc/os-release'), `PRETTY_NAME="${osImage}"\n`);
  }
  await writeFile(path.join(hostRoot, 'proc/meminfo'), `MemTotal: ${Math.floor(memoryBytes / 1024)} kB\n`);
  await writeFile(path.join(cpus, 'online'), cores === 1 ? '0\n' : `0-${cores - 1}\n`);
  return { cores, memoryBytes, address, hostRoot, mountInfoFile };
}
