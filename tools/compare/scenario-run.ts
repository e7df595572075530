import { spawn } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findKubectl } from '@podwright/lab';
import {
  coreEvents,
  nodes,
  pods,
  type Informer,
  type KubeClient,
  type KubeObject,
} from '@podwright/kube-client-interface';
import { RealApiServer } from '@podwright/test-apiserver/real';
import { ClusterNode, kubeconfigFile } from '../acceptance/cluster-node.js';
import { KubectlClient } from '../acceptance/kubectl-client.js';
import { SmallDisk } from '../acceptance/small-disk.js';
import { ThrowAwayBed } from '../acceptance/throw-away-bed.js';
import { aspectOfEvent, aspectsOfLines, aspectsOfNode, aspectsOfPod } from './observed.js';
import type { Scenario, ScenarioObject } from './scenario.js';
import type { Timeline } from './timeline.js';

export interface ScenarioRunOptions {
  /** The kubelet's program. */
  readonly file: string;
  /** False: a kubelet of somebody else, which gets upstream's flags alone. */
  readonly ours: boolean;
  readonly assets: string;
  /** Name of the lab. */
  readonly name: string;
  readonly say: (line: string) => void;
  /** The kubelet's log is copied to this path at the end. */
  readonly log?: string;
}

const nodeName = 'compare';
const lineTimeoutMs = 120_000;

/**
 * Plays a scenario on a throw-away node with one kubelet, and notes what an administrator sees through the API. Rejects
 * when an object cannot be created, a line fails or the kubelet ends: what was noted until then is no comparison.
 */
export async function runScenario(scenario: Scenario, timeline: Timeline, options: ScenarioRunOptions): Promise<void> {
  const { file, name, say, assets, ours, log } = options;
  const { rootDiskMiB, imageDiskMiB, configuration } = scenario;
  const lab = imageDiskMiB === undefined ? {} : { dataDiskMiB: imageDiskMiB };
  const bed = await ThrowAwayBed.open({ name, file, say, lab, server: () => RealApiServer.start(assets) });
  const root = path.join(bed.lab.dir, `node-${nodeName}/root`);
  let disk: SmallDisk | undefined;
  let node: ClusterNode | undefined;
  try {
    disk = rootDiskMiB === undefined ? undefined : await SmallDisk.create(root, rootDiskMiB * 1024 * 1024);
    node = bed.owns(
      await ClusterNode.start(bed, bed.server, nodeName, {
        foreign: !ours,
        configuration: { clusterDNS: ['10.96.0.10'], ...configuration },
      }),
    );
    await node.ready({ withinMs: 60_000 });
    const user = { name: 'kubernetes-admin', groups: ['system:masters'] };
    const kubectl = await findKubectl(say);
    const environment = {
      ...process.env,
      PATH: `${path.dirname(kubectl)}:${process.env['PATH']}`,
      KUBECONFIG: await kubeconfigFile(bed, bed.server, user),
      ROOT: root,
      HOME: bed.lab.dir,
    };
    const client = new KubectlClient(kubectl, environment.KUBECONFIG, bed.lab.dir);
    await play(scenario, timeline, { node, client, environment, say });
    if (!node.kubelet.isRunning) throw new Error(`the kubelet ended: ${node.kubelet.kubelet.lastLines(8)}`);
  } finally {
    if (log !== undefined && node !== undefined) await keep(node.kubelet.kubelet.logFile, log);
    await bed.close().finally(() => disk?.remove());
  }
}

interface Stage {
  readonly node: ClusterNode;
  readonly client: KubectlClient;
  readonly environment: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
}

async function play({ objects, steps, seconds }: Scenario, timeline: Timeline, stage: Stage): Promise<void> {
  const { node, client, environment, say } = stage;
  const startedMs = performance.now();
  const now = (): number => (performance.now() - startedMs) / 1000;
  const until = (at: number): Promise<void> => delay(Math.max(0, (at - now()) * 1000));
  const informers = await watchAll(node.admin, timeline, now);
  await create(client, objects);
  for (const step of steps) {
    await until(step.at);
    say(`${now().toFixed(1)} ${'run' in step ? step.run : step.restart}`);
    if ('run' in step) {
      const output = await runLine(step.run, environment, say);
      if (step.show === undefined) say(output.trimEnd());
      else timeline.observe(`output of ${step.show}`, aspectsOfLines(output), now());
    } else {
      await node.kubelet.end(step.restart);
      await node.kubelet.start();
    }
  }
  await until(seconds);
  await Promise.all(informers.map((informer) => informer.stop()));
}

async function keep(file: string, place: string): Promise<void> {
  await mkdir(path.dirname(place), { recursive: true });
  await copyFile(file, place);
}

async function watchAll(
  client: KubeClient,
  timeline: Timeline,
  now: () => number,
): Promise<readonly Pick<Informer<KubeObject>, 'stop'>[]> {
  const ofPods = client.inform(pods, { namespace: 'default' });
  const ofNodes = client.inform(nodes, {});
  const ofEvents = client.inform(coreEvents, {});
  ofPods.watch((change) => {
    if (change.type === 'replaced') return;
    const name = `pod ${change.object.metadata.name}`;
    if (change.type === 'deleted') timeline.observe(name, new Map(), now());
    else timeline.observe(name, aspectsOfPod(change.object), now());
  });
  ofNodes.watch((change) => {
    if (change.type === 'added' || change.type === 'updated') {
      timeline.observe('node', aspectsOfNode(change.object), now());
    }
  });
  ofEvents.watch((change) => {
    if (change.type !== 'added' && change.type !== 'updated') return;
    const { involvedObject, source } = change.object;
    if (source?.component !== 'kubelet') return;
    const object = involvedObject.kind === 'Node' ? 'events of the node' : `events of pod ${involvedObject.name}`;
    timeline.happened(object, aspectOfEvent(change.object), 'seen', now());
  });
  const informers = [ofPods, ofNodes, ofEvents];
  for (const informer of informers) informer.start();
  await Promise.all(informers.map((informer) => informer.synced(AbortSignal.timeout(30_000))));
  return informers;
}

async function create(kubectl: KubectlClient, objects: readonly ScenarioObject[]): Promise<void> {
  const items = objects.map((object) =>
    object.kind === 'Pod' ? { ...object, spec: { nodeName, ...object.spec } } : object,
  );
  if (items.length === 0) return;
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const { code, stderr } = await kubectl.run(['create', '-f', '-'], { input });
  if (code !== 0) throw new Error(`objects: kubectl create ended with ${code}: ${stderr.trim()}`);
}

/** Resolves to what the line printed. */
function runLine(line: string, env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', line], { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: lineTimeoutMs });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (output += piece));
    child.stderr.setEncoding('utf8').on('data', (piece: string) => say(piece.trimEnd()));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new Error(`steps: ${line} ended with ${code ?? signal}; end it with || true if it may fail`));
    });
  });
}
