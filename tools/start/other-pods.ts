import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

// Of the cgroup drivers cgroupfs and systemd, directly below the root of a hierarchy.
const podCgroup = /:\/kubepods(?:\.slice)?\/.*\bpod/;

/**
 * Refuses to start a kubelet whose cgroup root is `/` while containers of another kubelet run there: each takes the other's
 * pods for its own leftovers and kills them. Containers that an earlier run on this runtime has left count, too.
 */
export async function refuseOtherPods(kubeletFlags: readonly string[], proc = '/proc'): Promise<void> {
  if (kubeletFlags.some((flag) => /^--cgroup-root(=|$)/.test(flag))) return;
  const processes = await processesOfPods(proc);
  if (processes.length === 0) return;
  throw new Error(
    `--runtime-endpoint: containers of a kubelet run in the cgroup /kubepods of this machine (process ${processes[0]}), and two kubelets there kill each other's pods: end them first, or name a cgroup that exists with: -- --cgroup-root=/NAME`,
  );
}

async function processesOfPods(proc: string): Promise<readonly string[]> {
  const ids = (await readdir(proc)).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    ids.map(async (id) => {
      // One that has ended meanwhile is in no cgroup.
      const text = await readFile(path.join(proc, id, 'cgroup'), 'utf8').catch(() => '');
      return podCgroup.test(text) ? [id] : [];
    }),
  );
  return found.flat();
}
