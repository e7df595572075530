import path from 'node:path';
import { makeDirectory } from '@podwright/filesystem';

/** `<root>/pods/<uid>`. */
export function podDirectory(rootDir: string, podUid: string): string {
  return path.join(rootDir, 'pods', podUid);
}

/** Creates the directories that every pod has. Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go makePodDataDirs. */
export class PodDirectories {
  /** Pods whose directories this process has created; each sync checks it. */
  private readonly made = new Set<string>();

  constructor(private readonly rootDir: string) {}

  async make(podUid: string): Promise<void> {
    const directory = podDirectory(this.rootDir, podUid);
    const isNew = (await makeDirectory(directory, 0o750)) !== undefined;
    if (!isNew && this.made.has(podUid)) return;
    await Promise.all(['volumes', 'plugins'].map((name) => makeDirectory(path.join(directory, name), 0o750)));
    this.made.add(podUid);
  }

  forget(podUid: string): void {
    this.made.delete(podUid);
  }
}
