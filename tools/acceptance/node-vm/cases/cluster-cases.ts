import assert from 'node:assert/strict';
import type { Pod } from '@podwright/kube-types';
import { main, podManifest, script } from '../../pod-manifests.js';
import type { GuestCase } from '../guest-case.js';
import { containerScope, readCgroup } from '../guest-cgroups.js';
import { GuestCluster } from '../guest-cluster.js';
import { firstBootConfiguration } from '../guest-configuration.js';
import { memoryKib } from '../guest-memory.js';
import type { GuestNode } from '../guest-node.js';

const Mi = 1024 * 1024;
/**
 * Memory that may be used before the kubelet sees memory pressure: enough for the server, the well-behaved pods and the
 * kubelet again.
 */
const roomMib = 220;
const eatenMib = 400;
const eatenAtOnceMib = 20;

let cluster: GuestCluster | undefined;

async function availableMib(node: GuestNode): Promise<number> {
  const summary = JSON.parse(await node.ask('/stats/summary')) as { node: { memory: { availableBytes: number } } };
  return summary.node.memory.availableBytes / Mi;
}

/** Configures the next start of the kubelet, which is running now: it joins a server and evicts on memory pressure. */
export async function joinWithNextStart(node: GuestNode): Promise<void> {
  const threshold = Math.round((await availableMib(node)) - roomMib);
  await node.configure({
    ...firstBootConfiguration,
    evictionHard: { 'memory.available': `${threshold}Mi` },
    evictionPressureTransitionPeriod: '10s',
  });
  cluster = await GuestCluster.start(node);
}

/** The server that the node has joined. */
export function joined(): GuestCluster {
  assert.ok(cluster !== undefined, 'the node has not joined a server');
  return cluster;
}

const swap: GuestCase = {
  name: 'with LimitedSwap a burstable container gets its share of the swap, the others none',
  boot: 0,
  run: async () => {
    const server = joined();
    const resources = { requests: { memory: '32Mi' }, limits: { memory: '96Mi' } };
    await server.create(podManifest('swapping', { containers: [main({ resources })] }));
    await server.create(podManifest('unlimited'));
    const swapMax = async (pod: Pod): Promise<number> =>
      Number(await readCgroup(containerScope(pod, 'main'), 'memory.swap.max'));
    const got = await swapMax(await server.running('swapping'));
    const share = (32 * Mi * (await memoryKib('SwapTotal'))) / (await memoryKib('MemTotal'));
    const pageBytes = 4096;
    assert.ok(Math.abs(got - share) <= pageBytes, `${got}, not ${share}`);
    assert.equal(await swapMax(await server.running('unlimited')), 0);
  },
};

const eviction: GuestCase = {
  name: 'a pod that eats the memory of the node is evicted, with a record of why, and the others stay',
  boot: 0,
  run: async (node) => {
    const server = joined();
    // Writes piece by piece into a file in memory, slowly enough that the kubelet acts before the kernel's OOM killer.
    const eat = `for i in $(seq 1 ${eatenMib / eatenAtOnceMib}); do dd if=/dev/zero of=/eaten/$i bs=1M count=${eatenAtOnceMib}; sleep 1; done; sleep 1000000`;
    const hungry = main({ command: [...script(eat)], volumeMounts: [{ name: 'eaten', mountPath: '/eaten' }] });
    const volumes = [{ name: 'eaten', emptyDir: { medium: 'Memory' } }];
    await server.create(podManifest('glutton', { containers: [hungry], volumes }));
    const { status } = await server.until('glutton', 'is evicted', (pod) => pod.status?.reason === 'Evicted');
    assert.equal(status?.phase, 'Failed');
    assert.match(
      status?.message ?? '',
      /^The node was low on resource: memory\. Threshold quantity: \d+Mi, available: \d+Ki\. Container main was using \d+Ki, request is 0, has larger consumption of memory\. $/,
    );
    const decisions = (await node.log()).filter((line) => line.includes('"Eviction manager: decision"'));
    assert.match(decisions.join('\n'), /memory\.available[^]*default\/glutton usage=/);
    assert.equal((await server.running('swapping')).status?.containerStatuses?.[0]?.restartCount, 0);
    assert.notEqual((await node.running('guaranteed')).status?.reason, 'Evicted');
  },
};

/** These need a node of a cluster: static pods are critical, so they get no swap and are not evicted. */
export const clusterCases: readonly GuestCase[] = [swap, eviction];
