import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { nodes, pods } from '@podwright/kube-client-interface';
import { isReady, SimulatedCluster } from './simulated-cluster.js';

describe('a node of a cluster', () => {
  let sim: SimulatedCluster;
  afterEach(() => sim.dispose());

  const join = async (options: Parameters<typeof SimulatedCluster.create>[0] = {}): Promise<void> => {
    sim = await SimulatedCluster.create({ jitterless: true, ...options });
    sim.node.runtime.store.load('registry.test/main:1');
    await sim.node.boot();
    await sim.until('the node is Ready', async () => isReady(await sim.apiNode()));
  };

  it('registers, is Ready within a second, and runs what is bound to it', async () => {
    await join();
    expect(sim.node.clock.monotonic()).toBeLessThan(1_000);
    await sim.bind('web');
    await sim.untilReady('web', 5_000);
    const pod = await sim.pod('web');
    expect(pod?.status).toMatchObject({
      phase: 'Running',
      hostIP: '192.0.2.1',
      qosClass: 'BestEffort',
      containerStatuses: [{ name: 'main', ready: true, restartCount: 0, state: { running: {} } }],
    });
  });

  it('gives pods the addresses that a cloud provider gives the node, and waits for them where they are needed', async () => {
    const external = { externalCloudProvider: true, nodeIps: [] };
    await join({ options: { '@podwright/node-status#api': external, '@podwright/node-status#reporter': external } });
    const env = [{ name: 'HOST', valueFrom: { fieldRef: { fieldPath: 'status.hostIP' } } }];
    const container = { name: 'main', image: 'registry.test/main:1', imagePullPolicy: 'IfNotPresent' };
    await sim.bind('web', { hostNetwork: true });
    await sim.bind('asks', { containers: [{ ...container, env }] });
    await sim.untilReady('web');
    expect((await sim.pod('web'))?.status).not.toHaveProperty('hostIP');
    const waiting = {
      reason: 'CreateContainerConfigError',
      message: 'host IP unknown; known addresses: [{Hostname node}]',
    };
    await sim.until('one waits for the address', async () => {
      const status = (await sim.pod('asks'))?.status?.containerStatuses?.[0];
      return status?.state?.waiting?.message === waiting.message && status.state.waiting.reason === waiting.reason;
    });
    const addresses = [
      { type: 'ExternalIP', address: '203.0.113.7' },
      { type: 'InternalIP', address: '198.51.100.7' },
      { type: 'InternalIP', address: '2001:DB8::7' },
    ];
    const options = { subresource: 'status' };
    await sim.finish(
      sim.admin.patch(nodes, { name: 'node' }, { type: 'merge', body: { status: { addresses } } }, options),
    );
    await sim.untilReady('asks');
    const both = [{ ip: '198.51.100.7' }, { ip: '2001:db8::7' }];
    expect((await sim.pod('asks'))?.status).toMatchObject({ hostIP: '198.51.100.7', hostIPs: both });
    await sim.until(
      'the other pod shows it too',
      async () => (await sim.pod('web'))?.status?.hostIP !== undefined,
      120_000,
    );
    expect((await sim.pod('web'))?.status).toMatchObject({ hostIPs: both, podIP: '198.51.100.7', podIPs: both });
  });

  it('lets a pod go as soon as its containers have ended', async () => {
    await join();
    sim.node.runtime.programs.set('main', { onStop: { afterMs: 2_000 } });
    await sim.bind('web');
    await sim.untilReady('web');
    await sim.delete('web');
    const tookMs = await sim.untilGone('web');
    expect(tookMs).toBeGreaterThanOrEqual(1_900);
    expect(tookMs).toBeLessThan(3_200);
    expect(sim.node.runtime.control.sandboxes.filter(({ ready }) => ready)).toEqual([]);
  });

  it('gets a hundred pods ready that are bound at once', async () => {
    await join();
    const names = Array.from({ length: 100 }, (_, index) => `web-${index}`);
    const release = sim.node.runtime.faults.hang({ rpc: 'runPodSandbox' });
    await sim.bindAll(names);
    await sim.node.clock.advance(1_000);
    // They prepare in turns: the first one to start does not wait until all are prepared.
    const prepared = (await readdir(path.join(sim.node.dir, 'root/pods'))).length;
    expect(prepared).toBeLessThan(50);
    release();
    const all = async (): Promise<boolean> => (await sim.pods()).filter(isReady).length === 100;
    expect(await sim.until('all are Ready', all)).toBeLessThan(20_000);
  });

  it('registers again as it was when somebody deletes the node and it is made anew', async () => {
    await join();
    await sim.bind('web');
    await sim.untilReady('web');
    const before = await sim.apiNode();
    await sim.finish(sim.admin.delete(nodes, { name: 'node' }));
    await sim.node.clock.advance(30_000);
    expect(sim.node.runtime.control.containers().filter(({ running }) => running)).toHaveLength(1);
    await sim.node.stop();
    await sim.node.boot();
    await sim.until('the node is Ready', async () => isReady(await sim.apiNode()));
    expect((await sim.apiNode())?.metadata?.uid).not.toBe(before?.metadata?.uid);
  });

  it('is found as it was by the next kubelet after a kill -9', async () => {
    await join();
    await sim.bind('web');
    await sim.untilReady('web');
    const before = await sim.pod('web');
    await sim.node.kill();
    await sim.node.clock.advance(20_000);
    await sim.node.boot();
    await sim.node.clock.advance(30_000);
    const after = await sim.pod('web');
    expect(after?.status?.containerStatuses).toEqual(before?.status?.containerStatuses);
    expect(after?.status?.conditions).toEqual(before?.status?.conditions);
    const { items } = await sim.finish(sim.admin.list(pods, {}));
    expect(items).toHaveLength(1);
  });
});
