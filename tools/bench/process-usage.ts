import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Usage {
  /** User and system time so far, in seconds. */
  readonly cpuSeconds: number;
  readonly rssMiB: number;
  /** As RSS, but a page that several processes map counts in shares. */
  readonly pssMiB: number;
  /** The part of RSS that is not in any file: heap and stacks. */
  readonly anonymousMiB: number;
  readonly peakRssMiB: number;
  readonly atMs: number;
}

// USER_HZ is 100 on every Linux that Node supports.
const ticksPerSecond = 100;

/** Reads the resource usage of a process from /proc. */
export async function usageOf(pid: number): Promise<Usage> {
  const read = (name: string): Promise<string> => readFile(`/proc/${pid}/${name}`, 'utf8');
  const [stat, status, rollup] = await Promise.all([read('stat'), read('status'), read('smaps_rollup')]);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const mib = (name: string, text: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / 1024;
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    rssMiB: mib('VmRSS', status),
    pssMiB: mib('Pss', rollup),
    anonymousMiB: mib('RssAnon', status),
    peakRssMiB: mib('VmHWM', status),
    atMs: performance.now(),
  };
}

export interface MachineUsage {
  /** User and system time of all processes so far: a kubelet's work and what it causes in others. */
  readonly cpuSeconds: number;
  /** What other machines of the same host took so far. Rounds in which they took much compare badly. */
  readonly stolenSeconds: number;
}

/** Sums over all processors. */
export async function machineUsage(): Promise<MachineUsage> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n', 1);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line.split(/ +/).slice(1).map(Number);
  return {
    cpuSeconds: (user + nice + system + irq + softirq) / ticksPerSecond,
    stolenSeconds: steal / ticksPerSecond,
  };
}

/** Measures CPU use over a time, in percent of a core; 0 when the time is 0. */
export async function measureIdle(
  pid: number,
  seconds: number,
): Promise<{ readonly percent: number; readonly after: Usage }> {
  const before = await usageOf(pid);
  await sleep(seconds * 1000);
  const after = await usageOf(pid);
  const perSecond = (after.cpuSeconds - before.cpuSeconds) / ((after.atMs - before.atMs) / 1000);
  return { percent: seconds === 0 ? 0 : perSecond * 100, after };
}
