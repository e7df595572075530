import { pods as podResource, type KubeClient } from '@podwright/kube-client-interface';
import { mapLimit } from '@podwright/concurrency';
import type { Pod } from '@podwright/kube-types';
import { setTimeout as sleep } from 'node:timers/promises';
import { isReady } from '../start/pod-view.js';
import { command, podName } from './bench-pods.js';
import { median } from './floor.js';
import { measureIdle, usageOf } from './process-usage.js';

export interface ClusterRoundResult {
  /** From each pod's creation to its Ready condition, as a watch reports it. */
  readonly readyAllSeconds: number;
  readonly readyMedianSeconds: number;
  readonly startCpuSeconds: number;
  readonly idleCpuPercent: number;
  readonly rssMiB: number;
  readonly peakRssMiB: number;
  /** From the first deletion until a watch reports the last pod deleted. */
  readonly goneAllSeconds: number;
  readonly removeCpuSeconds: number;
}

export interface ClusterRoundOptions {
  readonly round: number;
  /** Client with administrator rights. */
  readonly client: KubeClient;
  readonly nodeName: string;
  readonly kubeletPid: number;
  readonly pods: number;
  readonly image: string;
  readonly idleSeconds: number;
}

const namespace = 'default';
const timeoutMs = 300_000;
const parallelCalls = 25;

/** Binds all pods to the node at once, idles, and deletes them all, with a running kubelet. */
export async function measureClusterRound(options: ClusterRoundOptions): Promise<ClusterRoundResult> {
  const { round, client, nodeName, kubeletPid, pods, image, idleSeconds } = options;
  const names = Array.from({ length: pods }, (_, index) => podName(round, index));
  const createdMs = new Map<string, number>();
  const readyMs = new Map<string, number>();
  const goneMs = new Map<string, number>();
  const informer = client.inform(podResource, { namespace, labelSelector: `app=bench,round=${round}` });
  informer.watch((change) => {
    if (change.type === 'replaced') return;
    const name = change.object.metadata.name ?? '';
    if (change.type === 'deleted') goneMs.set(name, Date.now());
    else if (isReady(change.object) && !readyMs.has(name)) readyMs.set(name, Date.now());
  });
  informer.start();
  await informer.synced(AbortSignal.timeout(timeoutMs));
  try {
    const before = await usageOf(kubeletPid);
    await mapLimit(names, parallelCalls, async (name) => {
      createdMs.set(name, Date.now());
      await client.create(podResource, benchPod(name, round, nodeName, image));
    });
    await until(`all ${pods} pods ready`, () => readyMs.size === pods);
    const started = await usageOf(kubeletPid);
    const seconds = names
      .map((name) => ((readyMs.get(name) ?? 0) - (createdMs.get(name) ?? 0)) / 1000)
      .sort((left, right) => left - right);
    const firstMs = Math.min(...createdMs.values());
    await sleep(3_000); // work right after readiness is not idle time
    const idle = await measureIdle(kubeletPid, idleSeconds);
    const deletedMs = Date.now();
    await mapLimit(names, parallelCalls, (name) => client.delete(podResource, { namespace, name }));
    await until('all pods gone', () => goneMs.size === pods);
    const removed = await usageOf(kubeletPid);
    return {
      readyAllSeconds: (Math.max(...readyMs.values()) - firstMs) / 1000,
      readyMedianSeconds: median(seconds),
      startCpuSeconds: started.cpuSeconds - before.cpuSeconds,
      idleCpuPercent: idle.percent,
      rssMiB: idle.after.rssMiB,
      peakRssMiB: idle.after.peakRssMiB,
      goneAllSeconds: (Math.max(...goneMs.values()) - deletedMs) / 1000,
      removeCpuSeconds: removed.cpuSeconds - idle.after.cpuSeconds,
    };
  } finally {
    await informer.stop();
  }
}

function benchPod(name: string, round: number, nodeName: string, image: string): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: { app: 'bench', round: String(round) } },
    spec: {
      nodeName,
      terminationGracePeriodSeconds: 30,
      containers: [{ name: 'main', image, imagePullPolicy: 'IfNotPresent', command: [...command] }],
    },
  };
}

async function until(what: string, done: () => boolean): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!done()) {
    if (Date.now() > deadline) throw new Error(`no ${what} within ${timeoutMs / 1000} s`);
    await sleep(50);
  }
}
