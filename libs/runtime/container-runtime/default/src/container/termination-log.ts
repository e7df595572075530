import { chmod, open } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '@podwright/filesystem';
import type { Random } from '@podwright/time';

/**
 * Creates the empty file for the container's termination message, writable by any user, and returns its path. Each
 * start gets a new file. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go makeMounts.
 */
export async function createTerminationLog(podDir: string, containerName: string, random: Random): Promise<string> {
  const directory = join(podDir, 'containers', containerName);
  await makeDirectory(directory, 0o750);
  const path = join(directory, random.hex(4));
  const file = await open(path, 'w');
  await file.close();
  // chmod, because the umask restricts the mode of open().
  await chmod(path, 0o666);
  return path;
}
