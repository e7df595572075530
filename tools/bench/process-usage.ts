import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Usage {
  /** User and system time so far, seconds. */
  readonly cpuSeconds: number;
  readonly rssMiB: number;
  readonly peakRssMiB: number;
  readonly atMs: number;
}

// USER_HZ: 100 on every Linux that Node runs on.
const ticksPerSecond = 100;

/** What a process has used, from /proc. */
export async function usageOf(pid: number): Promise<Usage> {
  const [stat, status] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/status`, 'utf8'),
  ]);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const mib = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024;
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    rssMiB: mib('VmRSS'),
    peakRssMiB: mib('VmHWM'),
    atMs: performance.now(),
  };
}

/** Looks, waits, looks again: percent of a core meanwhile, 0 when there is no time to wait. */
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
