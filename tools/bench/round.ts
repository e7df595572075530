import { ContainerState, podNameLabel } from '@podwright/cri-client-interface';
import type { CriClient } from '@podwright/cri-client';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeletProcess } from '../start/kubelet-process.js';
import { isReady } from '../start/pod-view.js';
import { callsOf, callsPerPod } from './kubelet-calls.js';
import { removeManifests, writeManifests } from './bench-pods.js';
import { median } from './quantile.js';
import { measureIdle, usageOf } from './process-usage.js';

export interface RoundResult {
  readonly startedAllSeconds: number;
  readonly startedMedianSeconds: number;
  /** From the read-only port, polled four times a second. */
  readonly readyAllSeconds: number;
  readonly startCpuSeconds: number;
  readonly idleCpuPercent: number;
  readonly rssMiB: number;
  readonly pssMiB: number;
  readonly anonymousMiB: number;
  /** RSS before the pods. */
  readonly emptyRssMiB: number;
  readonly peakRssMiB: number;
  readonly removedSeconds: number;
  readonly removeCpuSeconds: number;
  /** Calls per pod from its manifest to readiness, and from the end of its manifest until its container is gone. */
  readonly startCalls: Readonly<Record<string, number>>;
  readonly removeCalls: Readonly<Record<string, number>>;
}

export interface RoundOptions {
  readonly round: number;
  readonly client: CriClient;
  readonly kubelet: KubeletProcess;
  readonly manifests: string;
  readonly pods: number;
  readonly image: string;
  readonly gapMs: number;
  readonly idleSeconds: number;
}

const startTimeoutMs = 300_000;
const askPeriodMs = 250;
// Work after readiness is not idle time: the last relists, and V8's garbage collection about 15 s after the start.
const settleMs = 25_000;

/** Starts all pods, idles, and removes them all, with a running kubelet. */
export async function measureRound(options: RoundOptions): Promise<RoundResult> {
  const { round, client, kubelet, manifests, pods, image, gapMs, idleSeconds } = options;
  const pid = kubelet.child.pid ?? 0;
  // Before its metrics are asked for, which is work.
  const { rssMiB: emptyRssMiB } = await usageOf(pid);
  const callsBefore = await callsOf(kubelet);
  const before = await usageOf(pid);
  const writtenMs = await writeManifests(manifests, round, pods, image, gapMs);
  const firstMs = writtenMs[0] ?? Date.now();
  await until('all pods ready', async () => (await kubelet.pods()).filter(isReady).length === pods);
  const readyAllSeconds = (Date.now() - firstMs) / 1000;
  const started = await usageOf(pid);
  const startCalls = callsPerPod(callsBefore, await callsOf(kubelet), pods);
  const startSeconds = await startTimes(client, writtenMs);
  await sleep(settleMs);
  const idle = await measureIdle(pid, idleSeconds);
  const callsIdle = await callsOf(kubelet);
  const removal = Date.now();
  await removeManifests(manifests, round, pods);
  await until('all pods removed', async () => (await runningContainers(client)) === 0);
  const removedSeconds = (Date.now() - removal) / 1000;
  const removed = await usageOf(pid);
  return {
    startedAllSeconds: startSeconds.at(-1) ?? 0,
    startedMedianSeconds: median(startSeconds),
    readyAllSeconds,
    startCpuSeconds: started.cpuSeconds - before.cpuSeconds,
    idleCpuPercent: idle.percent,
    rssMiB: idle.after.rssMiB,
    pssMiB: idle.after.pssMiB,
    anonymousMiB: idle.after.anonymousMiB,
    emptyRssMiB,
    peakRssMiB: idle.after.peakRssMiB,
    removedSeconds,
    removeCpuSeconds: removed.cpuSeconds - idle.after.cpuSeconds,
    startCalls,
    removeCalls: callsPerPod(callsIdle, await callsOf(kubelet), pods),
  };
}

// Seconds from each pod's manifest to its container's start by the runtime's clock, ascending.
async function startTimes(client: CriClient, writtenMs: readonly number[]): Promise<readonly number[]> {
  const { containers } = await client.listContainers({
    filter: { state: { state: ContainerState.CONTAINER_RUNNING } },
  });
  const ours = containers.filter(({ labels }) => labels[podNameLabel]?.startsWith('bench-'));
  const seconds: number[] = [];
  for (const { id, labels } of ours) {
    const { status } = await client.containerStatus({ containerId: id });
    const index = Number(/^bench-\d+-(\d+)/.exec(labels[podNameLabel] ?? '')?.[1]);
    seconds.push((Number((status?.startedAt ?? 0n) / 1000n) / 1000 - (writtenMs[index] ?? 0)) / 1000);
  }
  return seconds.sort((left, right) => left - right);
}

async function runningContainers(client: CriClient): Promise<number> {
  const { containers } = await client.listContainers({
    filter: { state: { state: ContainerState.CONTAINER_RUNNING } },
  });
  return containers.filter(({ labels }) => labels[podNameLabel]?.startsWith('bench-')).length;
}

async function until(what: string, done: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  while (!(await done())) {
    if (Date.now() > deadline) throw new Error(`no ${what} within ${startTimeoutMs / 1000} s`);
    await sleep(askPeriodMs);
  }
}
