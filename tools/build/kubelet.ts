import { buildExecutable, executableFile, type Executable } from './executable.js';

/** Path of the bundle. */
export const kubeletFile = executableFile('kubelet');

/** Bundles apps/kubelet. */
export function buildKubelet(): Promise<Executable> {
  return buildExecutable('kubelet');
}
