import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { mapLimit } from '@podwright/concurrency';
import { pods as podResource, type KubeClient } from '@podwright/kube-client-interface';
import type { Pod } from '@podwright/kube-types';
import { measureIdle, usageOf, type Usage } from '../process-usage.js';
import type { HollowProcess } from './hollow-process.js';
import type { FleetOptions } from './options.js';

export interface FleetRun extends FleetOptions {
  /** Of an administrator. */
  readonly client: KubeClient;
  /** Starts hollow-kubelet with these and more arguments. */
  readonly start: (args: readonly string[]) => HollowProcess;
  /** Of the API server in memory. */
  readonly serverPid?: number;
  readonly say: (line: string) => void;
}

const statusAddress = '127.0.0.1:10260';
const namespace = 'default';
const longestMs = 1_800_000;
const settleMs = 15_000;

/** Runs the nodes with their pods; resolves with labels and what was measured. */
export async function measureFleet(run: FleetRun): Promise<readonly (readonly [string, string])[]> {
  const { nodes, podsPerNode, idleSeconds, client, serverPid, say } = run;
  const startedMs = Date.now();
  const fleet = run.start(['--nodes', String(nodes), '--status-address', statusAddress]);
  try {
    await until(fleet, nodes, 'podwright_hollow_nodes{state="ready"}', say);
    const readySeconds = secondsSince(startedMs);
    const ready = await usageOf(fleet.pid);
    await sleep(settleMs);
    const empty = await usageOf(fleet.pid);
    const createdMs = Date.now();
    const all = Array.from({ length: nodes * podsPerNode }, (_, index) => podOf(index, nodes));
    await mapLimit(all, run.atOnce, (pod) => client.create(podResource, pod));
    const creationSeconds = secondsSince(createdMs);
    await until(fleet, all.length, 'podwright_hollow_containers', say);
    const runningSeconds = secondsSince(createdMs);
    const running = await usageOf(fleet.pid);
    await sleep(settleMs);
    const server = serverPid === undefined ? undefined : await usageOf(serverPid);
    const idle = await measureIdle(fleet.pid, idleSeconds);
    const perNode = (usage: Usage): string => `${(usage.rssMiB / nodes).toFixed(2)} MiB`;
    return [
      ['all nodes Ready after', `${readySeconds.toFixed(1)} s`],
      ['CPU until then', `${ready.cpuSeconds.toFixed(1)} s`],
      ['memory without pods', `${empty.rssMiB.toFixed(0)} MiB, a node ${perNode(empty)}`],
      ['pods created within', `${creationSeconds.toFixed(1)} s`],
      ['all containers run after', `${runningSeconds.toFixed(1)} s`],
      ['CPU of a pod, with its share of the rest', milliseconds(running.cpuSeconds - empty.cpuSeconds, all.length)],
      [
        'memory with pods, peak',
        `${running.peakRssMiB.toFixed(0)} MiB, a node ${(running.peakRssMiB / nodes).toFixed(2)} MiB`,
      ],
      ['memory with pods, settled', `${idle.after.rssMiB.toFixed(0)} MiB, a node ${perNode(idle.after)}`],
      ['idle CPU', `${idle.percent.toFixed(1)} % of a core, a node ${(idle.percent / nodes).toFixed(3)} %`],
      ...(server
        ? ([['the API server', `${server.cpuSeconds.toFixed(1)} s CPU, ${server.rssMiB.toFixed(0)} MiB`]] as const)
        : []),
    ];
  } catch (error) {
    say((await readFile(fleet.logFile, 'utf8')).split('\n').slice(-20).join('\n'));
    throw error;
  } finally {
    await fleet.stop();
  }
}

const secondsSince = (startMs: number): number => (Date.now() - startMs) / 1_000;

const milliseconds = (seconds: number, count: number): string =>
  `${((seconds / Math.max(count, 1)) * 1_000).toFixed(1)} ms`;

/** Waits until a metric of the fleet has the value. */
async function until(fleet: HollowProcess, wanted: number, metric: string, say: (line: string) => void): Promise<void> {
  const deadline = Date.now() + longestMs;
  for (let last = -1; last < wanted; await sleep(500)) {
    if (!fleet.running) throw new Error('hollow-kubelet has ended');
    if (Date.now() > deadline) throw new Error(`${metric} is ${last}, not ${wanted}`);
    // A fleet that starts may be too busy to answer at once.
    const page = await fetch(`http://${statusAddress}/metrics`)
      .then((answer) => answer.text())
      .catch(() => '');
    const line = page.split('\n').find((each) => each.startsWith(`${metric} `));
    const value = Number(line?.slice(metric.length + 1) ?? last);
    if (value !== last) say(`${metric} ${value}`);
    last = value;
  }
}

function podOf(index: number, nodes: number): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `bench-${index}`, namespace },
    spec: {
      nodeName: `hollow-${index % nodes}`,
      containers: [{ name: 'main', image: 'app:1', imagePullPolicy: 'IfNotPresent' }],
    },
  };
}
