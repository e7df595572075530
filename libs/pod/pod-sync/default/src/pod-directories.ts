import { mkdir } from 'node:fs/promises';
import path from 'node:path';

/** `<root>/pods/<uid>`. */
export function podDirectory(rootDir: string, podUid: string): string {
  return path.join(rootDir, 'pods', podUid);
}

/** Makes the directories that every pod has. Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go makePodDataDirs. */
export async function makePodDirectories(rootDir: string, podUid: string): Promise<void> {
  const directory = podDirectory(rootDir, podUid);
  await mkdir(directory, { recursive: true, mode: 0o750 });
  await Promise.all(
    ['volumes', 'plugins'].map((name) => mkdir(path.join(directory, name), { recursive: true, mode: 0o750 })),
  );
}
