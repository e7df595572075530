import path from 'node:path';
import { linkPackages, readAssemblyEntries, writeAssembly } from './assembly-option.js';
import { KubeletProcess } from './kubelet-process.js';
import type { StartOptions } from './options.js';
import type { RunFolder } from './run-folder.js';
import type { RuntimeChoice } from './runtime-choice.js';
import type { ClusterJoin, RunningKubelet } from './running-kubelet.js';
import { startSimulatedKubelet } from './simulated-kubelet.js';

export interface StartKubeletOptions {
  readonly file: string;
  readonly folder: RunFolder;
  readonly runtime: RuntimeChoice;
  readonly staticPodPath: string;
  /** The user's changes to the kubelet. */
  readonly changes: Pick<StartOptions, 'assembly' | 'featureGates' | 'consoleAddress' | 'kubeletFlags'>;
  /** The API server that the node joins. */
  readonly join?: ClusterJoin;
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
  const { assembly, featureGates, consoleAddress, kubeletFlags } = changes;
  const ownFlags = consoleAddress === undefined ? [] : ['--console-address', consoleAddress];
  const entries = assembly === undefined ? [] : readAssemblyEntries(assembly);
  if (assembly !== undefined) linkPackages(dir, assembly);
  if (runtime.kind === 'simulated') {
    if (kubeletFlags.length > 0)
      throw new Error(`the simulated kubelet runs in this process and does not accept ${kubeletFlags.join(' ')}`);
    const assemblyFile = path.join(dir, 'assembly.json');
    await writeAssembly(assemblyFile, entries);
    return startSimulatedKubelet({ dir, staticPodPath, join, assemblyFile, featureGates, flags: ownFlags });
  }
  const gates = Object.entries(featureGates).map(([name, value]) => `${name}=${value}`);
  const kubelet = await KubeletProcess.start({
    file,
    dir,
    staticPodPath,
    runtimeEndpoint: runtime.endpoint,
    // The kubelet without a cluster opens its port only on request.
    configuration: { cgroupRoot: runtime.cgroupRoot, enableServer: true },
    socket: path.join(dir, 'podwright.sock'),
    assembly: entries,
    ...(runtime.env !== undefined && { env: runtime.env }),
    // The API server of this run connects to this address.
    ...(join?.authority !== undefined && runtime.nodeIp !== undefined && { address: runtime.nodeIp }),
    ...(join?.authority !== undefined && { clientAuthority: join.authority }),
    flags: [
      ...(runtime.nodeIp === undefined ? [] : ['--node-ip', runtime.nodeIp]),
      ...(join === undefined ? [] : ['--kubeconfig', join.kubeconfig, '--hostname-override', join.nodeName]),
      ...(gates.length === 0 ? [] : ['--feature-gates', gates.join(',')]),
      ...ownFlags,
      ...kubeletFlags,
    ],
  });
  await folder.noteProcess('kubelet', kubelet.child.pid ?? 0);
  return kubelet;
}
