import { pods as podResource, type KubeClient } from '@podwright/kube-client-interface';
import { mapLimit } from '@podwright/concurrency';
import type { Pod } from '@podwright/kube-types';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeletProcess } from '../start/kubelet-process.js';
import { isReady } from '../start/pod-view.js';
import { command, podName } from './bench-pods.js';
import { callsOf, callsPerPod } from './kubelet-calls.js';
import { median, quantile } from './quantile.js';
import { machineUsage, measureIdle, usageOf } from './process-usage.js';

export interface ClusterRoundResult {
  /** From each pod's creation to its Ready condition, as a watch reports it. */
  readonly readyAllSeconds: number;
  readonly readyMedianSeconds: number;
  readonly readyP99Seconds: number;
  readonly startCpuSeconds: number;
  /** Of the whole machine, so with what the kubelet causes in the runtime, its containers and the API server. */
  readonly machineStartCpuSeconds: number;
  /** Processor time that other machines of the host took meanwhile. */
  readonly stolenSeconds: number;
  readonly idleCpuPercent: number;
  /** RSS before the pods. */
  readonly emptyRssMiB: number;
  readonly rssMiB: number;
  readonly peakRssMiB: number;
  /** From the first deletion until a watch reports the last pod deleted. */
  readonly goneAllSeconds: number;
  readonly removeCpuSeconds: number;
  /** Of the whole machine. */
  readonly machineRemoveCpuSeconds: number;
  /** Calls per pod from its creation to readiness, and from its deletion until it is gone. */
  readonly startCalls: Readonly<Record<string, number>>;
  readonly removeCalls: Readonly<Record<string, number>>;
}

export interface ClusterRoundOptions {
  readonly round: number;
  /** Client with administrator rights. */
  readonly client: KubeClient;
  readonly nodeName: string;
  readonly kubelet: KubeletProcess;
  readonly pods: number;
  readonly image: string;
  readonly idleSeconds: number;
}

const namespace = 'default';
const timeoutMs = 300_000;
// Work right after readiness is not idle time.
const settleMs = 25_000;
const parallelCalls = 25;

/** Binds all pods to the node at once, idles, and deletes them all, with a running kubelet. */
export async function measureClusterRound(options: ClusterRoundOptions): Promise<ClusterRoundResult> {
  const { round, client, nodeName, kubelet, pods, image, idleSeconds } = options;
  const pid = kubelet.child.pid ?? 0;
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
    // Before its metrics are asked for, which is work.
    const { rssMiB: emptyRssMiB } = await usageOf(pid);
    const callsBefore = await callsOf(kubelet);
    const before = await usageOf(pid);
    const machineBefore = await machineUsage();
    await mapLimit(names, parallelCalls, async (name) => {
      createdMs.set(name, Date.now());
      await client.create(podResource, benchPod(name, round, nodeName, image));
    });
    await until(`all ${pods} pods ready`, () => readyMs.size === pods);
    const started = await usageOf(pid);
    const machineStarted = await machineUsage();
    const startCalls = callsPerPod(callsBefore, await callsOf(kubelet), pods);
    const seconds = names
      .map((name) => ((readyMs.get(name) ?? 0) - (createdMs.get(name) ?? 0)) / 1000)
      .sort((left, right) => left - right);
    const firstMs = Math.min(...createdMs.values());
    await sleep(settleMs);
    const idle = await measureIdle(pid, idleSeconds);
    const callsIdle = await callsOf(kubelet);
    const machineIdle = await machineUsage();
    const deletedMs = Date.now();
    await mapLimit(names, parallelCalls, (name) => client.delete(podResource, { namespace, name }));
    await until('all pods gone', () => goneMs.size === pods);
    const removed = await usageOf(pid);
    return {
      readyAllSeconds: (Math.max(...readyMs.values()) - firstMs) / 1000,
      readyMedianSeconds: median(seconds),
      readyP99Seconds: quantile(seconds, 0.99),
      startCpuSeconds: started.cpuSeconds - before.cpuSeconds,
      machineStartCpuSeconds: machineStarted.cpuSeconds - machineBefore.cpuSeconds,
      stolenSeconds: machineStarted.stolenSeconds - machineBefore.stolenSeconds,
      idleCpuPercent: idle.percent,
      emptyRssMiB,
      rssMiB: idle.after.rssMiB,
      peakRssMiB: idle.after.peakRssMiB,
      goneAllSeconds: (Math.max(...goneMs.values()) - deletedMs) / 1000,
      removeCpuSeconds: removed.cpuSeconds - idle.after.cpuSeconds,
      machineRemoveCpuSeconds: (await machineUsage()).cpuSeconds - machineIdle.cpuSeconds,
      startCalls,
      removeCalls: callsPerPod(callsIdle, await callsOf(kubelet), pods),
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
