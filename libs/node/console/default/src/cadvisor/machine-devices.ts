import { readdir, readFile, statfs } from 'node:fs/promises';
import path from 'node:path';
import { hugePageSizes } from '@podwright/cgroup-files';
import { readMountTable } from '@podwright/filesystem';
import { readMachineTopology, type MachineTopology } from '@podwright/machine';
import type { DeviceReads } from './device-reads.js';

export interface Disk {
  readonly name: string;
  readonly major: number;
  readonly minor: number;
  readonly sizeBytes: number;
  readonly scheduler: string;
}

export interface NetworkDevice {
  readonly name: string;
  readonly macAddress: string;
  readonly speedMbit: number;
  readonly mtu: number;
}

export interface MountedFileSystem {
  readonly device: string;
  readonly type: string;
  readonly capacityBytes: number;
  readonly inodes: number;
}

/** What cAdvisor reports of a machine beyond what the kubelet itself needs. */
export interface MachineDevices {
  readonly disks: readonly Disk[];
  readonly network: readonly NetworkDevice[];
  readonly fileSystems: readonly MountedFileSystem[];
  readonly hugePages: readonly { readonly pageKilobytes: number; readonly count: number }[];
  readonly cpuFrequencyKhz: number;
  readonly topology: MachineTopology | undefined;
}

// As cAdvisor: not loops, RAM disks and the like.
const ignoredDisks = /^(?:loop|ram|sr|dm-|fd)/;
const ignoredInterfaces = /^(?:lo$|veth|docker|nerdctl)/;
const sectorBytes = 512;
const mostMounts = 256;

/** Read each time: nobody asks often. What cannot be read is left out, and the log reports it. */
export async function readMachineDevices(reads: DeviceReads, root: string): Promise<MachineDevices> {
  const sys = path.join(root, 'sys');
  const [disks, network, fileSystems, hugePages, cpuFrequencyKhz, topology] = await Promise.all([
    named(reads, path.join(sys, 'block'), ignoredDisks, disk),
    named(reads, path.join(sys, 'class/net'), ignoredInterfaces, networkDevice),
    mounted(reads, path.join(root, 'proc/self/mountinfo')),
    hugePageCounts(reads, path.join(sys, 'kernel/mm/hugepages')),
    cpuFrequency(reads, root),
    reads.or('the topology of the CPUs', readMachineTopology({ hostRoot: root }), undefined),
  ]);
  return { disks, network, fileSystems, hugePages, cpuFrequencyKhz, topology };
}

async function named<T>(
  reads: DeviceReads,
  directory: string,
  ignored: RegExp,
  read: (reads: DeviceReads, directory: string, name: string) => Promise<T | undefined>,
): Promise<readonly T[]> {
  const names = await reads.or(directory, readdir(directory), []);
  const wanted = names.filter((name) => !ignored.test(name)).sort();
  return (await Promise.all(wanted.map((name) => read(reads, directory, name)))).filter((each) => each !== undefined);
}

async function disk(reads: DeviceReads, directory: string, name: string): Promise<Disk | undefined> {
  const read = (file: string): Promise<string> => text(reads, path.join(directory, name, file));
  const [numbers, sectors, schedulers] = await Promise.all([read('dev'), read('size'), read('queue/scheduler')]);
  const [, major, minor] = /^(\d+):(\d+)$/.exec(numbers) ?? [];
  if (major === undefined) return undefined;
  const scheduler = /\[(.+)\]/.exec(schedulers)?.[1] ?? 'none';
  return { name, major: Number(major), minor: Number(minor), sizeBytes: sectorBytes * number(sectors), scheduler };
}

async function networkDevice(reads: DeviceReads, directory: string, name: string): Promise<NetworkDevice> {
  const read = (file: string): Promise<string> => text(reads, path.join(directory, name, file));
  const [macAddress, speed, mtu] = await Promise.all([read('address'), read('speed'), read('mtu')]);
  return { name, macAddress, speedMbit: number(speed), mtu: number(mtu) };
}

async function mounted(reads: DeviceReads, mountInfo: string): Promise<readonly MountedFileSystem[]> {
  const mounts = await reads.or(mountInfo, readMountTable(mountInfo), []);
  const byDevice = new Map(
    mounts.filter(({ source }) => source.startsWith('/dev/')).map((each) => [each.source, each]),
  );
  const read = [...byDevice.values()].slice(0, mostMounts).map(async ({ source, mountPoint, fsType }) => {
    const found = await reads.or(mountPoint, statfs(mountPoint), undefined);
    if (found === undefined) return undefined;
    return { device: source, type: fsType, capacityBytes: found.bsize * found.blocks, inodes: found.files };
  });
  return (await Promise.all(read)).filter((each) => each !== undefined);
}

async function hugePageCounts(reads: DeviceReads, directory: string): Promise<MachineDevices['hugePages']> {
  const sizes = await reads.or(directory, hugePageSizes(directory), []);
  return Promise.all(
    sizes.map(async ({ bytes }) => {
      const pageKilobytes = bytes / 1024;
      const count = number(await text(reads, path.join(directory, `hugepages-${pageKilobytes}kB`, 'nr_hugepages')));
      return { pageKilobytes, count };
    }),
  );
}

/** The highest that the processor can, else what it has now. */
async function cpuFrequency(reads: DeviceReads, root: string): Promise<number> {
  const highest = await text(reads, path.join(root, 'sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq'));
  if (highest !== '') return number(highest);
  const mhz = /^(?:cpu MHz|clock)\s*:\s*([\d.]+)/m.exec(await text(reads, path.join(root, 'proc/cpuinfo')))?.[1];
  return Math.round(1000 * Number(mhz ?? 0));
}

const text = async (reads: DeviceReads, file: string): Promise<string> =>
  (await reads.or(file, readFile(file, 'utf8'), '')).trim();

const number = (content: string): number => (/^\d+$/.test(content) ? Number(content) : 0);
