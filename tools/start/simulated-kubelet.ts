import { createWriteStream, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { podUidLabel } from '@podwright/cri-client-interface';
import {
  assembleSimulatedKubelet,
  nodeSocketFlags,
  nodeSocketParts,
  type KubeletProgram,
} from '@podwright/kubelet-assembly';
import { standaloneProgram } from '@podwright/kubelet-standalone';
import { isSidecar, podUid, type Pod } from '@podwright/kube-types';
import { decodePodManifest } from '@podwright/pod-manifest';
import { freePort } from '@podwright/lab';
import { createLogger } from '@podwright/logging';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import { KUBELET_SERVER } from '@podwright/server-interface';
import { createSimulatedRuntime } from '@podwright/simulated-runtime';
import { STATUS_MANAGER } from '@podwright/status-interface';
import { BOOTSTRAP } from '@podwright/sync-loop-interface';
import { createSystemClock, createSystemRandom } from '@podwright/time';
import { loopback } from './kubelet-process.js';
import { accessConfiguration, operatorCredentials } from './operator-credentials.js';
import type { ClusterJoin, RunningKubelet } from './running-kubelet.js';

const clusterProgram: KubeletProgram = { program: 'kubelet', ownFlags: nodeSocketFlags, parts: nodeSocketParts };

/** Starts a kubelet in this process, in real time, on a simulated runtime. */
export async function startSimulatedKubelet({
  dir,
  staticPodPath,
  join,
  assemblyFile,
  featureGates,
  flags,
}: {
  readonly dir: string;
  readonly staticPodPath: string;
  readonly assemblyFile?: string | undefined;
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly flags: readonly string[];
  readonly join?: ClusterJoin | undefined;
}): Promise<RunningKubelet> {
  mkdirSync(dir, { recursive: true });
  const logFile = path.join(dir, 'kubelet.log');
  const log = createWriteStream(logFile, { flags: 'a' });
  const clock = createSystemClock();
  const logger = createLogger({ clock, write: (line) => void log.write(`${line}\n`) });
  const cri = createSimulatedRuntime({ clock, random: createSystemRandom(), imageFileSystem: dir });
  for (const image of join?.images ?? imagesOf(staticPodPath)) cri.store.load(image);
  const operator = await operatorCredentials(path.join(dir, 'operator'), join?.authority ? [join.authority] : []);
  const socket = path.join(dir, 'podwright.sock');
  const nodeName = join?.nodeName ?? os.hostname().toLowerCase();
  const assembly = await assembleSimulatedKubelet({
    dir,
    cri,
    clock,
    random: createSystemRandom(),
    logger,
    nodeName,
    program: join === undefined ? standaloneProgram : clusterProgram,
    argv: ['--socket', socket, ...flags],
    configuration: {
      staticPodPath: path.resolve(staticPodPath),
      ...{ enableServer: true, address: loopback, port: await freePort() },
      ...accessConfiguration(operator, join !== undefined),
      featureGates,
    },
    ...(assemblyFile !== undefined && { assemblyFile }),
    ...(join?.transport && { transport: join.transport }),
  });
  // Init containers exit after a moment, so that the view shows them; all other containers run until they are stopped.
  const pods = assembly.get(POD_MANAGER);
  cri.programs.setDefault(({ name }, { labels }) => {
    const pod = pods.getPodByUid(labels?.[podUidLabel] ?? '');
    const init = pod?.spec.initContainers?.find((container) => container.name === name);
    return init === undefined || isSidecar(init) ? {} : { exitAfterMs: 500 };
  });
  await assembly.start();
  const stopping = new AbortController();
  const bootstrap = assembly.get(BOOTSTRAP);
  bootstrap.birthCry();
  let failure: unknown;
  const loop = bootstrap.run(stopping.signal).catch((error: unknown) => void (failure = error));
  const { https } = assembly.get(KUBELET_SERVER).addresses();
  return {
    ...{ logFile, operator, url: `https://${https}`, socket },
    pods: async () => {
      if (failure !== undefined) throw failure;
      const statuses = assembly.get(STATUS_MANAGER);
      return pods.getPods().map((pod) => ({ ...pod, status: statuses.getPodStatus(podUid(pod)) ?? pod.status ?? {} }));
    },
    lastLines: (count) => readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-count).join('\n'),
    stop: async () => {
      stopping.abort();
      await loop;
      await assembly.stop();
      await new Promise<void>((resolve) => log.end(resolve));
    },
  };
}

// These images count as present, so that pull policy Never works.
function imagesOf(staticPodPath: string): readonly string[] {
  const files = statSync(staticPodPath).isDirectory()
    ? readdirSync(staticPodPath).map((name) => path.join(staticPodPath, name))
    : [staticPodPath];
  const pods = files.flatMap((file): readonly Pod[] => {
    try {
      return [decodePodManifest(readFileSync(file), file)];
    } catch {
      return []; // the kubelet reports the fault
    }
  });
  return pods
    .flatMap(({ spec }) => [...(spec.initContainers ?? []), ...spec.containers])
    .flatMap(({ image }) => (image === undefined ? [] : [image]));
}
