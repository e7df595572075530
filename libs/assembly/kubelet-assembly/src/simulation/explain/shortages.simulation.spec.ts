import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NodeExplanation, PodExplanation } from '@podwright/explain-interface';
import { persistentVolumeClaims, persistentVolumes } from '@podwright/kube-client-interface';
import { NODE_SHUTDOWN_MANAGER } from '@podwright/node-shutdown-interface';
import type { Summary } from '@podwright/stats-interface';
import { ScriptedDisks } from '../scripted-disks.js';
import { isReady, SimulatedCluster } from '../simulated-cluster.js';
import { explained, explainedNode, golden, page } from './fixtures/explain-scene.js';
import { main } from './fixtures/pod-cases.js';

const minute = 60_000;

describe('what explain says when a disk is not attached, the server refuses, the node is short or shuts down', () => {
  let sim: SimulatedCluster;
  let disks: string;
  const seen = new Map<string, PodExplanation | NodeExplanation>();
  const look = async (name: string, pod = name): Promise<void> => {
    seen.set(name, await explained(sim.node, pod));
  };
  const lookAtNode = async (name: string): Promise<void> => {
    seen.set(name, await explainedNode(sim.node));
  };
  const free = { bytes: 50, pids: 900 };
  const summary = async (): Promise<Summary> => {
    const time = new Date(sim.node.clock.now()).toISOString();
    const disk = { time, availableBytes: free.bytes, capacityBytes: 100, inodesFree: 50, inodes: 100 };
    return {
      node: {
        ...{ nodeName: 'node', startTime: time, fs: disk, runtime: { imageFs: disk, containerFs: disk } },
        rlimit: { time, maxpid: 1_000, curproc: 1_000 - free.pids },
      },
      pods: [],
    };
  };

  beforeAll(async () => {
    disks = await mkdtemp(path.join(tmpdir(), 'podwright-disks-'));
    sim = await SimulatedCluster.create({
      ...{ jitterless: true, summary, modules: [new ScriptedDisks(disks).module] },
      configuration: {
        evictionHard: { 'nodefs.available': '10', 'pid.available': '100' },
        evictionPressureTransitionPeriod: '10s',
        ...{ shutdownGracePeriod: '20s', shutdownGracePeriodCriticalPods: '5s' },
      },
      options: { '@podwright/node-shutdown': { endPodsOnTermination: true, busAddress: 'unix:path=/absent' } },
    });
    sim.node.runtime.store.load('registry.test/main:1');
    await sim.node.boot();
    await sim.until('the node is Ready', async () => isReady(await sim.apiNode()));
    const metadata = { namespace: 'default', name: 'db' };
    const size = { storage: '1Gi' };
    const shared = { accessModes: ['ReadWriteOnce'] };
    const claim = await sim.finish(
      sim.admin.create(persistentVolumeClaims, {
        metadata,
        spec: { ...shared, resources: { requests: size }, volumeName: 'pv-1' },
      }),
    );
    await sim.finish(
      sim.admin.create(persistentVolumes, {
        metadata: { name: 'pv-1' },
        spec: {
          ...{ ...shared, capacity: size, volumeMode: 'Filesystem', glusterfs: { endpoints: 'e', path: 'disk-1' } },
          claimRef: { ...metadata, uid: claim.metadata?.uid ?? '' },
        },
      }),
    );
    const bound = { type: 'merge', body: { status: { phase: 'Bound' } } } as const;
    await sim.finish(sim.admin.patch(persistentVolumeClaims, metadata, bound, { subresource: 'status' }));
    await sim.bind('unattached', {
      containers: [main({ volumeMounts: [{ name: 'data', mountPath: '/data' }] })],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'db' } }],
    });
    await sim.node.clock.advance(3 * minute);
    await look('unattached');

    const refusal = { type: 'status', status: 403, reason: 'Forbidden', message: 'admission webhook "no" denied it' };
    const statuses = { resource: 'pods', subresource: 'status', name: 'refused-status' };
    const allow = sim.cluster.server.faults.add(refusal as { type: 'status'; status: number }, statuses, 1_000);
    await sim.bind('refused-status');
    await sim.node.clock.advance(minute);
    await look('refused-status');
    allow();

    free.pids = 50;
    await sim.node.clock.advance(15_000);
    await lookAtNode('node-pid-pressure');
    free.pids = 900;
    await sim.node.clock.advance(minute);
    free.bytes = 5;
    await sim.node.clock.advance(15_000);
    await lookAtNode('node-disk-pressure');
    free.bytes = 50;
    await sim.node.clock.advance(minute);
    await lookAtNode('node-after-pressure');

    sim.node.runtime.store.load('registry.test/main:1');
    await sim.bind('shut-down');
    await sim.untilReady('shut-down');
    await sim.finish(sim.node.part(NODE_SHUTDOWN_MANAGER).handleTermination());
    await sim.bind('refused-shutdown');
    await sim.node.clock.advance(10_000);
    await look('shut-down');
    await look('refused-shutdown');
  });
  afterAll(async () => {
    await sim.dispose();
    await rm(disks, { recursive: true, force: true });
  });

  it.each([
    ['unattached', 'volume-unattached'],
    ['refused-status', 'status-refused'],
    ['node-pid-pressure', 'pid-pressure'],
    ['node-disk-pressure', 'disk-pressure'],
    ['node-after-pressure', 'ready'],
    ['shut-down', 'node-shutdown'],
    ['refused-shutdown', 'refused-shutdown'],
  ] as const)('%s: %s', async (name, situation) => {
    const explanation = seen.get(name);
    if (explanation === undefined) throw new Error(`nobody has looked at ${name}`);
    const text = page(explanation);
    expect([explanation.situation, text]).toEqual([situation, await golden(name, text)]);
  });
});
