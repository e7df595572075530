import { access, readFile } from 'node:fs/promises';
import path from 'node:path';

const root = '/sys/fs/cgroup';

/** The kernel's values for one cgroup, in units of v1; undefined when this machine does not have the file. */
export interface KernelCgroup {
  readonly shares: number | undefined;
  /** -1: no quota. */
  readonly quotaUs: number | undefined;
  readonly memoryBytes: number | undefined;
  readonly pids: string | undefined;
  /** Limit for pages of 2 MiB. */
  readonly hugePageBytes: number | undefined;
}

/** Reads a cgroup's files from the version that has the controllers. */
export async function readKernelCgroup(cgroup: string): Promise<KernelCgroup> {
  const unified = await isThere(path.join(root, 'cgroup.controllers'));
  const read = (controller: string, file: string): Promise<string | undefined> =>
    readFile(path.join(root, unified ? '' : controller, cgroup, file), 'utf8').then(
      (text) => text.trim(),
      () => undefined,
    );
  const number = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));
  if (!unified) {
    return {
      shares: number(await read('cpu', 'cpu.shares')),
      quotaUs: number(await read('cpu', 'cpu.cfs_quota_us')),
      memoryBytes: number(await read('memory', 'memory.limit_in_bytes')),
      pids: await read('pids', 'pids.max'),
      hugePageBytes: number(await read('hugetlb', 'hugetlb.2MB.limit_in_bytes')),
    };
  }
  const weight = number(await read('', 'cpu.weight'));
  const quota = (await read('', 'cpu.max'))?.split(' ')[0];
  return {
    shares: weight === undefined ? undefined : Math.round(((weight - 1) * 262_142) / 9_999 + 2),
    quotaUs: quota === 'max' ? -1 : number(quota),
    memoryBytes: number(await read('', 'memory.max')),
    pids: await read('', 'pids.max'),
    hugePageBytes: number(await read('', 'hugetlb.2MB.max')),
  };
}

export async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Memory cgroup of a process; the other controllers of a pod are at the same path. */
export async function memoryCgroupOf(pid: number): Promise<string> {
  const lines = (await readFile(`/proc/${pid}/cgroup`, 'utf8')).split('\n').map((line) => line.split(':'));
  const own =
    lines.find(([, names]) => names?.split(',').includes('memory')) ?? lines.find(([, names]) => names === '');
  return own?.[2] ?? '/';
}
