import type { Pod } from '@podwright/kube-types';
import type { KubeTransport } from '@podwright/kube-client-interface';
import { linkPackages, readAssemblyEntries } from './assembly-option.js';
import { KubeletProcess } from './kubelet-process.js';
import type { OperatorCredentials } from './operator-credentials.js';
import type { StartOptions } from './options.js';
import type { RunFolder } from './run-folder.js';
import type { RuntimeChoice } from './runtime-choice.js';
import { startSimulatedKubelet } from './simulated-kubelet.js';

/** A kubelet under way, in its own process or, on the simulated runtime, in ours. */
export interface RunningKubelet {
  readonly logFile: string;
  /** Of its API, and who may call it; undefined without one. */
  readonly url: string | undefined;
  readonly operator: OperatorCredentials | undefined;
  pods(): Promise<readonly Pod[]>;
  lastLines(count: number): string;
  stop(say: (line: string) => void): Promise<void>;
}

export interface StartKubeletOptions {
  readonly file: string;
  readonly folder: RunFolder;
  readonly runtime: RuntimeChoice;
  readonly staticPodPath: string;
  /** What the user changes of the kubelet itself. */
  readonly changes: Pick<StartOptions, 'assembly' | 'featureGates' | 'kubeletFlags'>;
  /** An API server that the node joins. */
  readonly join?: ClusterJoin;
}

/** How a kubelet comes to its API server. */
export interface ClusterJoin {
  /** Of the node itself. */
  readonly kubeconfig: string;
  /** Of the certificate, PEM, with which the API server calls the kubelet; absent: a foreign cluster, which has its own ways. */
  readonly authority?: string;
  readonly nodeName: string;
  /** The way there for a kubelet in this process. */
  readonly transport?: KubeTransport;
  /** Images that a simulated runtime has. */
  readonly images: readonly string[];
}

export async function startKubelet({
  file,
  folder,
  runtime,
  staticPodPath,
  changes,
  join,
}: StartKubeletOptions): Promise<RunningKubelet> {
  const { dir } = folder;
  const { assembly, featureGates, kubeletFlags } = changes;
  if (runtime.kind === 'simulated') {
    if (kubeletFlags.length > 0)
      throw new Error(`without real containers the kubelet takes no ${kubeletFlags.join(' ')}`);
    return startSimulatedKubelet({ dir, staticPodPath, join, assemblyFile: assembly, featureGates });
  }
  if (assembly !== undefined) linkPackages(dir, assembly);
  const gates = Object.entries(featureGates).map(([name, value]) => `${name}=${value}`);
  const kubelet = await KubeletProcess.start({
    file,
    dir,
    staticPodPath,
    runtimeEndpoint: runtime.endpoint,
    configuration: { cgroupRoot: runtime.cgroupRoot },
    ...(assembly !== undefined && { assembly: readAssemblyEntries(assembly) }),
    // There the API server of this run looks for it.
    ...(join?.authority !== undefined && runtime.nodeIp !== undefined && { address: runtime.nodeIp }),
    ...(join?.authority !== undefined && { clientAuthority: join.authority }),
    flags: [
      ...(runtime.nodeIp === undefined ? [] : ['--node-ip', runtime.nodeIp]),
      ...(join === undefined ? [] : ['--kubeconfig', join.kubeconfig, '--hostname-override', join.nodeName]),
      ...(gates.length === 0 ? [] : ['--feature-gates', gates.join(',')]),
      ...kubeletFlags,
    ],
  });
  await folder.noteKubelet(kubelet.child.pid ?? 0);
  return kubelet;
}
