import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { mapLimit } from '@podwright/concurrency';
import { createKubeClient } from '@podwright/kube-client';
import { pods as podResource, type KubeClient } from '@podwright/kube-client-interface';
import type { Pod } from '@podwright/kube-types';
import { createKubeTransport } from '@podwright/kube-transport';
import { createLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { createSystemClock, createSystemRandom } from '@podwright/time';
import { repositoryRoot } from '../../workspace/repository-root.js';
import { whole } from '../options.js';
import type { NodeUse } from './hollow-process.js';

const { values } = parseArgs({
  options: {
    pods: { type: 'string', default: '1,10,110,250,500,1000' },
    idle: { type: 'string', default: '20' },
    pleg: { type: 'string', multiple: true, default: ['generic', 'evented'] },
  },
});
const sizes = values.pods.split(',').map((text) => whole('--pods', text, 1));
const idleSeconds = whole('--idle', values.idle, 1);
const wrong = values.pleg.find((name) => name !== 'generic' && name !== 'evented');
if (wrong !== undefined) throw new Error(`--pleg must be generic or evented, not "${wrong}"`);

const longestMs = 600_000;
const settleMs = 5_000;
const parts = { clock: createSystemClock(), metrics: createMetricsRegistry() };
const logger = createLogger({ clock: parts.clock });
const run = path.join(repositoryRoot, 'tools/bootstrap/run.mjs');
// The files of a thousand pods are best in memory.
const dir = await mkdtemp('/dev/shm/podwright-node-');
const columns = ['pleg', 'pods', 'all run, s', 'CPU a pod, ms', 'idle CPU, %', 'looks a minute', 'MiB', 'MiB a pod'];
const head = [...columns, 'loop delay p99 starting, ms', 'idle, ms'];
try {
  console.log(`| ${head.join(' | ')} |\n|${' --- |'.repeat(head.length)}`);
  for (const pods of sizes) {
    for (const pleg of values.pleg) console.log(`| ${(await measure(pleg, pods)).join(' | ')} |`);
  }
} finally {
  await rm(dir, { recursive: true, force: true });
}

async function measure(pleg: string, pods: number): Promise<readonly (string | number)[]> {
  const kubeconfig = path.join(dir, `${pleg}-${pods}.kubeconfig`);
  const server = started('tools/bench/fleet/memory-server.ts', [kubeconfig]);
  let node: ChildProcess | undefined;
  const common = { ...parts, logger };
  await untilThere(kubeconfig);
  const transport = createKubeTransport(common, { kubeconfig });
  const unlimited = { qps: 10_000, burst: 10_000 };
  const client = createKubeClient({ ...common, transport, random: createSystemRandom() }, unlimited);
  try {
    await transport.start();
    await client.start();
    const files = path.join(dir, `${pleg}-${pods}`);
    node = started('tools/bench/node/hollow-process.ts', [kubeconfig, `${pods}`, `${pleg === 'evented'}`, files]);
    const empty = await until(node, ({ ready }) => ready);
    await asked(node, 'reset');
    const startedMs = performance.now();
    await create(client, pods);
    await until(node, ({ containers }) => containers >= pods);
    const seconds = (performance.now() - startedMs) / 1000;
    await sleep(settleMs);
    const busy = await asked(node, 'reset');
    await sleep(idleSeconds * 1000);
    const idle = await asked(node, 'use');
    return [
      ...[pleg, pods, seconds.toFixed(1), (busy.cpuMs / pods).toFixed(1), (idle.cpuMs / idleSeconds / 10).toFixed(2)],
      ...[((idle.looks / idleSeconds) * 60).toFixed(0), idle.rssMiB.toFixed(0)],
      ((idle.rssMiB - empty.rssMiB) / pods).toFixed(2),
      ...[busy.delayP99Ms.toFixed(0), idle.delayP99Ms.toFixed(1)],
    ];
  } finally {
    await client.stop();
    await transport.stop();
    if (node !== undefined) await ended(node, () => node?.disconnect());
    await ended(server, () => server.kill('SIGTERM'));
  }
}

function started(entry: string, args: readonly string[]): ChildProcess {
  return fork(run, [path.join(repositoryRoot, entry), ...args], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

async function ended(child: ChildProcess, end: () => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  end();
  await exited;
}

async function untilThere(file: string): Promise<void> {
  while (!existsSync(file)) await sleep(50);
}

async function asked(node: ChildProcess, what: 'use' | 'reset'): Promise<NodeUse> {
  if (!node.connected) throw new Error('the node has ended');
  const answer = once(node, 'message');
  node.send(what);
  return ((await answer) as [NodeUse])[0];
}

async function until(node: ChildProcess, isSo: (use: NodeUse) => boolean): Promise<NodeUse> {
  const deadline = Date.now() + longestMs;
  for (;;) {
    const use = await asked(node, 'use');
    if (isSo(use)) return use;
    if (Date.now() > deadline) throw new Error(`the node has ${use.containers} containers after ${longestMs} ms`);
    await sleep(200);
  }
}

function create(client: KubeClient, count: number): Promise<unknown> {
  const all = Array.from({ length: count }, (_, index): Pod => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `bench-${index}`, namespace: 'default' },
    spec: {
      nodeName: 'hollow-0',
      containers: [{ name: 'main', image: 'app:1', imagePullPolicy: 'IfNotPresent' }],
    },
  }));
  return mapLimit(all, 8, (pod) => client.create(podResource, pod));
}
