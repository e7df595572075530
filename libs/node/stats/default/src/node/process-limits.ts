import { readFile } from 'node:fs/promises';
import type { NodeStats } from '@podwright/stats-interface';
import { wireTime } from '../readings/wire-time.js';

export type ReadText = (path: string) => Promise<string>;

const limitFiles = ['/proc/sys/kernel/pid_max', '/proc/sys/kernel/threads-max'];

/**
 * The machine's maximum and current number of tasks. Source: kubernetes v1.36
 * pkg/kubelet/stats/pidlimit/pidlimit_linux.go.
 */
export async function processLimits(
  nowMs: number,
  read: ReadText = (path) => readFile(path, 'utf8'),
): Promise<NonNullable<NodeStats['rlimit']>> {
  const [load = '', ...limits] = await Promise.all(
    ['/proc/loadavg', ...limitFiles].map((path) => read(path).catch(() => '')),
  );
  const known = limits.map((text) => text.trim()).filter((text) => /^\d+$/.test(text));
  // `1.36 3.49 4.53 2/3518 3715089`: the fourth field has running and all tasks.
  const curproc = /^\S+ \S+ \S+ \d+\/(\d+) \d+/.exec(load)?.[1];
  return {
    time: wireTime(nowMs),
    ...(known.length > 0 && { maxpid: Math.min(...known.map(Number)) }),
    ...(curproc !== undefined && { curproc: Number(curproc) }),
  };
}
