import type { RunningKubelet } from './start-kubelet.js';
export async function startSimulatedKubelet(_: { dir: string; staticPodPath: string }): Promise<RunningKubelet> {
  throw new Error('not there yet');
}
