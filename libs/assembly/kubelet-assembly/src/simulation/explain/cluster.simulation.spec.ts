import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pods as podResource } from '@podwright/kube-client-interface';
import type { NodeExplanation, PodExplanation } from '@podwright/explain-interface';
import type { Container, PodSpec } from '@podwright/kube-types';
import type { Summary } from '@podwright/stats-interface';
import { isReady, SimulatedCluster } from '../simulated-cluster.js';
import { explained, explainedNode, golden, page } from './fixtures/explain-scene.js';
import { main } from './fixtures/pod-cases.js';

const gibibyte = 2 ** 30;
const minute = 60_000;
const sized = (cpu: string, memory?: string): Container =>
  main({ resources: { requests: { cpu, ...(memory !== undefined && { memory }) } } });

describe('what explain says on a node of a cluster', () => {
  let sim: SimulatedCluster;
  const seen = new Map<string, PodExplanation | NodeExplanation>();
  const look = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) seen.set(name, await explained(sim.node, name));
  };
  const lookAtNode = async (name: string): Promise<void> => {
    seen.set(name, await explainedNode(sim.node));
  };
  /** UIDs and bytes of the pods that use memory, by name. */
  const uids = new Map<string, string>();
  const usage = new Map<string, number>();
  const summary = async (): Promise<Summary> => {
    const time = new Date(sim.node.clock.now()).toISOString();
    const isRunning = (uid: string): boolean => sim.node.runtime.control.containers(uid).some(({ running }) => running);
    const running = [...uids].filter(([, uid]) => isRunning(uid));
    const workingSetBytes = running.reduce((sum, [name]) => sum + (usage.get(name) ?? 0), 0);
    const disk = { time, availableBytes: 50, capacityBytes: 100, inodesFree: 50, inodes: 100 };
    return {
      node: {
        ...{ nodeName: 'node', startTime: time, fs: disk, runtime: { imageFs: disk, containerFs: disk } },
        memory: { time, workingSetBytes, availableBytes: 8 * gibibyte - workingSetBytes, usageBytes: workingSetBytes },
      },
      pods: running.map(([name, uid]) => ({
        podRef: { name, namespace: 'default', uid },
        startTime: time,
        containers: [{ name: 'main', startTime: time }],
        memory: { time, workingSetBytes: usage.get(name) ?? 0 },
      })),
    };
  };
  const bind = async (name: string, spec: Partial<PodSpec> = {}): Promise<void> => {
    const { metadata } = await sim.bind(name, { containers: [main()], ...spec });
    uids.set(name, metadata.uid ?? '');
  };
  let manifests: string;
  const manifest = (file: string, text: string): Promise<void> => writeFile(path.join(manifests, `${file}.yaml`), text);
  const staticPod = (name: string, spec: object = {}, image = 'registry.test/main:1'): string =>
    JSON.stringify({
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' } },
      spec: { containers: [main({ image })], ...spec },
    });
  const patch = (name: string, body: object): Promise<unknown> =>
    sim.finish(sim.admin.patch(podResource, { namespace: 'default', name }, { type: 'merge', body }));

  beforeAll(async () => {
    manifests = await mkdtemp(path.join(tmpdir(), 'podwright-manifests-'));
    await manifest('fine', staticPod('fine'));
    await manifest('broken', '{"kind": "Pod", "spec": {"containers": "none"}}');
    for (const file of ['twin-a', 'twin-b']) await manifest(file, staticPod('twin'));
    await manifest('renewed', staticPod('renewed', { terminationGracePeriodSeconds: 600 }, 'registry.test/deaf:1'));
    sim = await SimulatedCluster.create({
      ...{ jitterless: true, summary },
      configuration: {
        staticPodPath: manifests,
        evictionHard: { 'memory.available': '1Gi' },
        evictionPressureTransitionPeriod: '60s',
      },
    });
    for (const image of ['main', 'deaf']) sim.node.runtime.store.load(`registry.test/${image}:1`);
    sim.node.runtime.programs.set('registry.test/deaf:1', { onStop: 'ignore' });
    await sim.node.boot();
    await sim.until('the node is Ready', async () => isReady(await sim.apiNode()));
    await lookAtNode('node-ready');
    const volume = (source: object): Partial<PodSpec> => ({
      containers: [main({ volumeMounts: [{ name: 'data', mountPath: '/data' }] })],
      volumes: [{ name: 'data', ...source }],
    });
    await bind('cluster-ready');
    await bind('gated', { readinessGates: [{ conditionType: 'test/balanced' }] });
    await bind('secret-missing', volume({ secret: { secretName: 'token' } }));
    await bind('config-map-missing', volume({ configMap: { name: 'pages' } }));
    await bind('claim-missing', volume({ persistentVolumeClaim: { claimName: 'db' } }));
    await bind('env-key-missing', {
      containers: [main({ env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'absent', key: 'a' } } }] })],
    });
    await bind('finalized');
    await patch('finalized', { metadata: { finalizers: ['test/backup'] } });
    await bind('deleted');
    for (const name of ['cluster-ready', 'finalized', 'deleted']) await sim.untilReady(name);
    await sim.node.clock.advance(3 * minute);
    await manifest('renewed', staticPod('renewed', { terminationGracePeriodSeconds: 600, hostname: 'new' }));
    await sim.node.clock.advance(minute);
    await look('fine-node', 'broken', 'twin-node', 'renewed-node');
    await look('cluster-ready', 'gated', 'secret-missing', 'config-map-missing', 'claim-missing', 'env-key-missing');

    await sim.delete('finalized');
    await sim.delete('deleted');
    await sim.untilGone('deleted');
    await sim.node.clock.advance(10_000);
    await look('finalized', 'deleted');

    await bind('victim', { containers: [sized('1500m')], priority: 0 });
    await sim.untilReady('victim');
    await bind('too-large', { containers: [sized('1')] });
    await bind('critical', {
      containers: [sized('1')],
      priority: 2_000_000_000,
      priorityClassName: 'system-cluster-critical',
    });
    await sim.node.clock.advance(40_000);
    await look('too-large', 'victim');

    await bind('greedy');
    await bind('modest', { containers: [sized('1m', '4Gi')] });
    await sim.untilReady('modest');
    usage.set('modest', 3.5 * gibibyte).set('greedy', 3.25 * gibibyte);
    await sim.node.clock.advance(12_000);
    await lookAtNode('node-near-pressure');
    usage.set('greedy', 4 * gibibyte);
    await sim.node.clock.advance(25_000);
    await bind('refused-pressure');
    await sim.node.clock.advance(5_000);
    await look('greedy', 'refused-pressure');
    await lookAtNode('node-memory-pressure');
    usage.clear();
    await sim.node.clock.advance(2 * minute);

    sim.node.runtime.control.goAway();
    await sim.node.clock.advance(minute);
    await lookAtNode('node-runtime-down-in-cluster');
    sim.node.runtime.control.comeBack();
    await sim.node.clock.advance(40_000);
    await lookAtNode('node-was-not-ready');

    sim.cluster.server.stop();
    sim.node.runtime.control.exitContainer(
      sim.node.runtime.control.container(uids.get('cluster-ready') ?? '', 'main')?.id ?? '',
      1,
    );
    await sim.node.clock.advance(90_000);
    seen.set('status-outage', await explained(sim.node, 'cluster-ready'));
    await lookAtNode('node-lease-failing');
    sim.cluster.server.start();
  });
  afterAll(async () => {
    await sim.dispose();
    await rm(manifests, { recursive: true });
  });

  it.each([
    ['node-ready', 'ready'],
    ['fine-node', 'ready'],
    ['broken', 'manifest-refused'],
    ['twin-node', 'ready'],
    ['renewed-node', 'waits-for-name'],
    ['cluster-ready', 'ready'],
    ['gated', 'readiness-gate'],
    ['secret-missing', 'volume-object-missing'],
    ['config-map-missing', 'volume-object-missing'],
    ['claim-missing', 'volume-object-missing'],
    ['env-key-missing', 'config-object-missing'],
    ['finalized', 'ending-finalizers'],
    ['deleted', 'ended'],
    ['too-large', 'refused-resources'],
    ['victim', 'preempted'],
    ['node-near-pressure', 'near-pressure'],
    ['greedy', 'evicted-pressure'],
    ['refused-pressure', 'refused-pressure'],
    ['node-memory-pressure', 'memory-pressure'],
    ['node-runtime-down-in-cluster', 'runtime-down'],
    ['node-was-not-ready', 'was-not-ready'],
    ['status-outage', 'status-outage'],
    ['node-lease-failing', 'lease-failing'],
  ] as const)('%s: %s', async (name, situation) => {
    const explanation = seen.get(name);
    if (explanation === undefined) throw new Error(`nobody has looked at ${name}`);
    const text = page(explanation);
    expect([explanation.situation, text]).toEqual([situation, await golden(name, text)]);
  });
});
