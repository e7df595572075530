import { chmod, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from '@podwright/time';

/**
 * Makes the empty file that the container writes its last words into; any user inside may write it. Returns its path.
 * Each start gets a file of its own. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go makeMounts.
 */
export async function createTerminationLog(podDir: string, containerName: string, random: Random): Promise<string> {
  const directory = join(podDir, 'containers', containerName);
  await mkdir(directory, { recursive: true, mode: 0o750 });
  const path = join(directory, random.hex(4));
  const file = await open(path, 'w');
  await file.close();
  // Not by the mode of open(): that would be cut by the umask.
  await chmod(path, 0o666);
  return path;
}
