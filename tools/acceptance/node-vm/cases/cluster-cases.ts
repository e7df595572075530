import assert from 'node:assert/strict';
import type { Pod } from '@podwright/kube-types';
import { main, podManifest, script } from '../../pod-manifests.js';
import type { GuestCase } from '../guest-case.js';
import { containerScope, readCgroup } from '../guest-cgroups.js';
import { GuestCluster } from '../guest-cluster.js';
import { run } from '../guest-commands.js';
import { firstBootConfiguration, SWAP_FILE } from '../guest-configuration.js';
import { memoryKib } from '../guest-memory.js';
import type { GuestNode } from '../guest-node.js';

const Mi = 1024 * 1024;
/** What the kubelet may see used until it is short of memory: for itself again, the server and the pods that behave. */
const roomMib = 220;
const eatenMib = 400;

let cluster: GuestCluster | undefined;

async function availableMib(node: GuestNode): Promise<number> {
  const summary = JSON.parse(await node.ask('/stats/summary')) as { node: { memory: { availableBytes: number } } };
  return summary.node.memory.availableBytes / Mi;
}

const swap: GuestCase = {
  name: 'with LimitedSwap a burstable container gets its share of the swap, the others none',
  boot: 1,
  run: async (node) => {
    await run('swapon', SWAP_FILE);
    const threshold = Math.round((await availableMib(node)) - roomMib);
    await node.configure({
      ...firstBootConfiguration,
      evictionHard: { 'memory.available': `${threshold}Mi` },
      evictionPressureTransitionPeriod: '10s',
    });
    cluster = await GuestCluster.join(node);
    const resources = { requests: { memory: '32Mi' }, limits: { memory: '96Mi' } };
    await cluster.create(podManifest('swapping', { containers: [main({ resources })] }));
    await cluster.create(podManifest('unlimited'));
    const swapMax = async (pod: Pod): Promise<number> =>
      Number(await readCgroup(containerScope(pod, 'main'), 'memory.swap.max'));
    const got = await swapMax(await cluster.running('swapping'));
    const share = (32 * Mi * (await memoryKib('SwapTotal'))) / (await memoryKib('MemTotal'));
    const pageBytes = 4096;
    assert.ok(Math.abs(got - share) <= pageBytes, `${got}, not ${share}`);
    assert.equal(await swapMax(await cluster.running('unlimited')), 0);
  },
};

const eviction: GuestCase = {
  name: 'a pod that eats the memory of the node is evicted, with a record of why, and the others stay',
  boot: 1,
  run: async (node) => {
    assert.ok(cluster !== undefined, 'the node has not joined the server');
    // 10 MiB at a time into a file in memory, slowly enough to be seen before the kernel has to help itself.
    const eat = `for i in $(seq 1 ${eatenMib / 10}); do dd if=/dev/zero of=/eaten/$i bs=1M count=10; sleep 1; done; sleep 1000000`;
    const hungry = main({ command: [...script(eat)], volumeMounts: [{ name: 'eaten', mountPath: '/eaten' }] });
    const volumes = [{ name: 'eaten', emptyDir: { medium: 'Memory' } }];
    await cluster.create(podManifest('glutton', { containers: [hungry], volumes }));
    const { status } = await cluster.until('glutton', 'is evicted', (pod) => pod.status?.reason === 'Evicted');
    assert.equal(status?.phase, 'Failed');
    assert.match(
      status?.message ?? '',
      /^The node was low on resource: memory\. Threshold quantity: \d+Mi, available: \d+Ki\. Container main was using \d+Ki, request is 0, has larger consumption of memory\. $/,
    );
    const decisions = (await node.log()).filter((line) => line.includes('"Eviction manager: decision"'));
    assert.match(decisions.join('\n'), /memory\.available[^]*default\/glutton usage=/);
    assert.equal((await cluster.running('swapping')).status?.containerStatuses?.[0]?.restartCount, 0);
    assert.notEqual((await node.running('guaranteed')).status?.reason, 'Evicted');
  },
};

/** On a node of a cluster: static pods are critical, which get no swap and are not evicted. */
export const clusterCases: readonly GuestCase[] = [swap, eviction];
