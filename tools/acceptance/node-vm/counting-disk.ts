import { appendFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { run, runOutput } from './guest-commands.js';
import { KUBELET_ROOT } from './guest-node.js';

const DISK_FILE = '/var/lib/podwright/kubelet-disk';
/** The least that mkfs.xfs makes. */
const diskMib = 300;

/** Puts the kubelet's folder on an XFS that counts the usage of projects, in this boot and the next ones. */
export async function useCountingDisk(): Promise<void> {
  await mkdir(path.dirname(DISK_FILE), { recursive: true });
  await mkdir(KUBELET_ROOT, { recursive: true });
  await run('truncate', '-s', `${diskMib}M`, DISK_FILE);
  await run('mkfs.xfs', '-q', DISK_FILE);
  await appendFile('/etc/fstab', `${DISK_FILE} ${KUBELET_ROOT} xfs loop,prjquota,nofail 0 0\n`);
  await run('modprobe', 'loop');
  await run('mount', KUBELET_ROOT);
}

/** The project of a folder below the kubelet's, as the system's files name it. */
export async function projectOf(folder: string): Promise<number | undefined> {
  const lines = (await readFile('/etc/projects', 'utf8')).split('\n');
  const line = lines.find((text) => text.endsWith(`:${folder}`));
  return line === undefined ? undefined : Number(line.split(':')[0]);
}

/** What the file system counts for a project. */
export async function countedKib(project: number): Promise<number> {
  const words = (await runOutput('xfs_quota', '-x', '-c', `quota -p -N -n -v -b ${project}`, KUBELET_ROOT)).trim();
  return Number(words.split(/\s+/)[1] ?? 0);
}
