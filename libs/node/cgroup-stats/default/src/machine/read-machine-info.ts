import type { MachineInfo } from '@podwright/cgroup-stats-interface';
import { readMachineFacts, type MachinePlaces } from '@podwright/machine';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readSmallFile, statOf } from '../read/small-file.js';

const msPerSecond = 1000;
const bytesPerMebibyte = 1024 * 1024;

export interface MachineInfoOptions extends Pick<MachinePlaces, 'machineIdFile' | 'bootIdFile'> {
  /** Root directory below which `/proc`, `/sys` and `/etc` are read. */
  readonly hostRoot: string;
  readonly cgroupVersion: 1 | 2;
  readonly nowMs: number;
}

/**
 * Reads the machine's constant properties. Rejects only when the memory size is unknown. Source: google/cadvisor v0.56
 * machine.
 */
export async function readMachineInfo(options: MachineInfoOptions): Promise<MachineInfo> {
  const { hostRoot, cgroupVersion, nowMs } = options;
  const file = (name: string): Promise<string | undefined> => readSmallFile(path.join(hostRoot, name));
  const [facts, cpuinfo = '', stat = '', uptime, cpuPressure, memoryModules, coreIds, packageIds] = await Promise.all([
    readMachineFacts({ ...options, rootDir: hostRoot }),
    file('proc/cpuinfo'),
    file('proc/stat'),
    file('proc/uptime'),
    // Upstream checks this path, whatever is mounted there.
    statOf(path.join(hostRoot, 'sys/fs/cgroup/cpu.pressure')),
    readMemoryModules(path.join(hostRoot, 'sys/devices/system/edac/mc')),
    topologyValues(hostRoot, 'core_id'),
    topologyValues(hostRoot, 'physical_package_id'),
  ]);
  return {
    cores: facts.cores,
    physicalCores: distinctLines(cpuinfo, 'core id') || coreIds,
    sockets: distinctLines(cpuinfo, 'physical id') || packageIds,
    memoryModules,
    memoryBytes: facts.memoryBytes,
    swapBytes: facts.swapBytes,
    machineId: facts.machineId,
    systemUuid: facts.systemUuid,
    bootId: facts.bootId,
    bootTimeMs: bootTime(stat) ?? nowMs - Math.trunc(Number.parseFloat(uptime ?? '0')) * msPerSecond,
    kernelVersion: facts.kernelVersion,
    osVersion: facts.osImage,
    cgroupVersion,
    pressure: cgroupVersion === 2 && cpuPressure !== undefined,
  };
}

// The same at each start of the kubelet. Source: kubernetes v1.36 pkg/kubelet/util/boottime_util_linux.go.
function bootTime(stat: string): number | undefined {
  const seconds = /^btime (\d+)$/m.exec(stat)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * msPerSecond;
}

function distinctLines(cpuinfo: string, name: string): number {
  return new Set(cpuinfo.match(new RegExp(`^${name}\\s*:\\s*\\d+$`, 'gm'))).size;
}

async function topologyValues(hostRoot: string, property: string): Promise<number> {
  const folder = path.join(hostRoot, 'sys/devices/system/cpu');
  const cpus = (await readdir(folder).catch(() => [])).filter((name) => /^cpu\d+$/.test(name));
  const values = await Promise.all(cpus.map((cpu) => readSmallFile(path.join(folder, cpu, 'topology', property))));
  return new Set(values.filter((value) => value !== undefined)).size;
}

async function readMemoryModules(folder: string): Promise<MachineInfo['memoryModules']> {
  const modules = new Map<string, { type: string; count: number; bytes: number }>();
  for (const controller of (await readdir(folder).catch(() => [])).filter((name) => /mc\d+/.test(name))) {
    const dimms = await readdir(path.join(folder, controller)).catch(() => []);
    for (const dimm of dimms.filter((name) => /dimm\d+/.test(name))) {
      const [type, mebibytes] = await Promise.all(
        ['dimm_mem_type', 'size'].map((name) => readSmallFile(path.join(folder, controller, dimm, name))),
      );
      if (type === undefined) continue;
      const module = modules.get(type.trim()) ?? { type: type.trim(), count: 0, bytes: 0 };
      module.count++;
      module.bytes += (Number.parseInt(mebibytes ?? '0', 10) || 0) * bytesPerMebibyte;
      modules.set(module.type, module);
    }
  }
  return [...modules.values()];
}
