import type { Pod } from '@podwright/kube-types';
import { KubeletProcess } from './kubelet-process.js';
import type { RuntimeChoice } from './runtime-choice.js';
import { startSimulatedKubelet } from './simulated-kubelet.js';

/** A kubelet under way, in its own process or, on the simulated runtime, in ours. */
export interface RunningKubelet {
  readonly logFile: string;
  pods(): Promise<readonly Pod[]>;
  lastLines(count: number): string;
  stop(): Promise<void>;
}

export interface StartKubeletOptions {
  readonly file: string;
  readonly dir: string;
  readonly runtime: RuntimeChoice;
  readonly staticPodPath: string;
}

export async function startKubelet({
  file,
  dir,
  runtime,
  staticPodPath,
}: StartKubeletOptions): Promise<RunningKubelet> {
  if (runtime.kind === 'simulated') return startSimulatedKubelet({ dir, staticPodPath });
  return KubeletProcess.start({
    file,
    dir,
    staticPodPath,
    runtimeEndpoint: runtime.endpoint,
    configuration: { cgroupRoot: runtime.cgroupRoot },
    flags: runtime.nodeIp === undefined ? [] : ['--node-ip', runtime.nodeIp],
  });
}
