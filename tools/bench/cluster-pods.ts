import { createKubeClient } from '@podwright/kube-client';
import { createKubeTransport } from '@podwright/kube-transport';
import { hasCode } from '@podwright/errors';
import { nodes, type KubeClient } from '@podwright/kube-client-interface';
import type { Logger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { createSystemRandom, type Clock } from '@podwright/time';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { KubeletProcess } from '../start/kubelet-process.js';
import { measureClusterRound, type ClusterRoundResult } from './cluster-round.js';
import type { BenchCluster } from './options.js';
import { removeEndedPods, restMs, type BenchRun } from './static-pods.js';

/** A round, and how long its kubelet took from the start of the process to a Ready Node. */
export type ClusterResult = ClusterRoundResult & { readonly nodeReadySeconds: number };

export interface ClusterRun extends BenchRun {
  readonly cluster: BenchCluster;
  readonly nodeIp: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

// As in upstream's benchmarks: the client that binds the pods must not slow the kubelet down.
const unlimited = { qps: 1_000, burst: 1_000 };
const nodeReadyMs = 60_000;

/** Runs all rounds with one kubelet; an API server binds the pods to it. */
export async function runClusterPods(run: ClusterRun): Promise<readonly ClusterResult[]> {
  const { options, cluster, foreign, file, node, dir, endpoint, image, cgroupRoot, nodeIp, clock, logger, say } = run;
  const metrics = createMetricsRegistry();
  const transport = createKubeTransport({ clock, logger, metrics }, { kubeconfig: cluster.kubeconfig });
  await transport.start();
  const client = createKubeClient({ transport, clock, logger, metrics, random: createSystemRandom() }, unlimited);
  await client.start();
  const manifests = path.join(dir, 'manifests');
  await mkdir(manifests, { recursive: true });
  const startedMs = Date.now();
  const kubelet = await KubeletProcess.start({
    file,
    ...(node !== undefined && { node }),
    ...(foreign === true && { assembly: 'none' }),
    dir,
    staticPodPath: manifests,
    runtimeEndpoint: endpoint,
    configuration: {
      cgroupRoot,
      maxPods: Math.max(110, options.pods + 10),
      featureGates: options.featureGates,
      clusterDNS: ['10.96.0.10'], // every cluster has one; without it, each pod gets an event about that
    },
    flags: [
      '--kubeconfig',
      cluster.nodeKubeconfig,
      '--hostname-override',
      cluster.nodeName,
      ...(nodeIp === undefined ? [] : ['--node-ip', nodeIp]),
    ],
  });
  const rounds: ClusterResult[] = [];
  try {
    await untilNodeReady(client, cluster.nodeName, startedMs);
    const nodeReadySeconds = (Date.now() - startedMs) / 1000;
    await sleep(restMs);
    for (let round = 1; round <= options.rounds; round += 1) {
      say(`round ${round}: ${options.pods} pods bound at once ...`);
      const { pods, idleSeconds } = options;
      const { nodeName } = cluster;
      const result = await measureClusterRound({ round, client, nodeName, kubelet, pods, image, idleSeconds });
      rounds.push({ nodeReadySeconds, ...result });
    }
    return rounds;
  } catch (error) {
    say(kubelet.lastLines(30));
    throw error;
  } finally {
    await kubelet.stop();
    await removeEndedPods(run.client);
    await kubelet.unmount(say);
    await client.stop();
    await transport.stop();
  }
}

// The Node of an earlier run may still be Ready, so only a heartbeat of this kubelet counts.
async function untilNodeReady(client: KubeClient, name: string, startedMs: number): Promise<void> {
  for (;;) {
    const node = await client.get(nodes, { name }).catch((error: unknown) => {
      if (hasCode(error, 'not-found')) return undefined;
      throw error;
    });
    const ready = node?.status?.conditions?.find(({ type }) => type === 'Ready');
    const reported = Date.parse(ready?.lastHeartbeatTime ?? '') >= Math.floor(startedMs / 1000) * 1000;
    if (ready?.status === 'True' && reported) return;
    if (Date.now() - startedMs > nodeReadyMs) throw new Error(`node ${name} is not Ready within ${nodeReadyMs} ms`);
    await sleep(20);
  }
}
