import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Pod } from '@podwright/kube-types';
import { main, podManifest, script } from '../../pod-manifests.js';
import type { GuestCase } from '../guest-case.js';
import { containerScope, KUBEPODS, podSlice, readCgroup, readCgroupFiles } from '../guest-cgroups.js';
import { run } from '../guest-commands.js';
import { GuestCluster } from '../guest-cluster.js';
import {
  firstBootConfiguration,
  memoryQosConfiguration,
  reservedMib,
  SWAP_FILE,
  throttlingFactor,
} from '../guest-configuration.js';
import { memoryKib, memoryMib } from '../guest-memory.js';
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

/** Configures the next start of the kubelet, which is running now: it joins a server, evicts on memory pressure and protects memory. */
export async function joinWithNextStart(node: GuestNode): Promise<void> {
  const threshold = Math.round((await availableMib(node)) - roomMib);
  await node.configure({
    ...firstBootConfiguration,
    ...memoryQosConfiguration,
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

const pageBytes = 4096;
const requestedMib = 32;
const limitMib = 96;
const unlimitedRequestMib = 16;

/** A container with a limit and one without. */
const swappingPod = podManifest('swapping', {
  containers: [
    main({ resources: { requests: { memory: `${requestedMib}Mi` }, limits: { memory: `${limitMib}Mi` } } }),
    { ...main({ resources: { requests: { memory: `${unlimitedRequestMib}Mi` } } }), name: 'unlimited' },
  ],
});

const swapMax = async (pod: Pod, name = 'main'): Promise<number> =>
  Number(await readCgroup(containerScope(pod, name), 'memory.swap.max'));

const swap: GuestCase = {
  name: 'with LimitedSwap a burstable container gets its share of the swap, the others none',
  boot: 0,
  run: async () => {
    const server = joined();
    await server.create(swappingPod);
    await server.create(podManifest('effortless'));
    const got = await swapMax(await server.running('swapping'));
    const share = (requestedMib * Mi * (await memoryKib('SwapTotal'))) / (await memoryKib('MemTotal'));
    assert.ok(Math.abs(got - share) <= pageBytes, `${got}, not ${share}`);
    assert.equal(await swapMax(await server.running('effortless')), 0);
  },
};

const memoryQos: GuestCase = {
  name: 'with MemoryQoS memory that is requested is protected, at each level, and use is throttled before the limit',
  boot: 0,
  run: async (node) => {
    const server = joined();
    const exact = { cpu: '500m', memory: '16Mi' };
    await server.create(
      podManifest('exact', { containers: [main({ resources: { requests: exact, limits: exact } })] }),
    );
    const [guaranteed, burstable] = [await server.running('exact'), await server.running('swapping')];
    const inPages = (bytes: number): string => String(Math.trunc(bytes / pageBytes) * pageBytes);
    const protection = async (cgroup: string): Promise<readonly string[]> =>
      Object.values(await readCgroupFiles(cgroup, ['memory.min', 'memory.low', 'memory.high']));
    const allocatable = ((await memoryMib('MemTotal')) - reservedMib) * Mi;
    const throttled = (request: number, most: number): string =>
      inPages(request * Mi + (most - request * Mi) * throttlingFactor);
    const mib = (count: number): string => String(count * Mi);
    const burstableMib = requestedMib + unlimitedRequestMib;

    assert.deepEqual(await protection(containerScope(guaranteed, 'main')), [mib(16), '0', 'max']);
    assert.deepEqual(await protection(podSlice(guaranteed)), [mib(16), '0', 'max']);
    assert.deepEqual(await protection(containerScope(burstable, 'main')), [
      '0',
      mib(requestedMib),
      throttled(requestedMib, limitMib * Mi),
    ]);
    assert.deepEqual(await protection(containerScope(burstable, 'unlimited')), [
      '0',
      mib(unlimitedRequestMib),
      throttled(unlimitedRequestMib, allocatable),
    ]);
    assert.deepEqual(await protection(podSlice(burstable)), ['0', mib(burstableMib), 'max']);
    // The guaranteed pod of the first start has 64 MiB.
    await node.waitFor('protection above the pods', async () =>
      isDeepStrictEqual(
        [await protection(KUBEPODS), await protection(`${KUBEPODS}/kubepods-burstable.slice`)],
        [
          [mib(64 + 16 + burstableMib), '0', 'max'],
          ['0', mib(burstableMib), 'max'],
        ],
      ),
    );
    const metrics = await node.ask('/metrics');
    const metric = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
    assert.deepEqual(
      [metric('kubelet_memory_qos_node_memory_min_bytes'), metric('kubelet_memory_qos_node_memory_low_bytes')],
      [(64 + 16) * Mi, burstableMib * Mi],
    );
  },
};

const noSwap: GuestCase = {
  name: 'with NoSwap no container has swap, although the node has',
  boot: 1,
  extra: true,
  run: async (node) => {
    await run('swapon', SWAP_FILE);
    await node.crash();
    cluster = await GuestCluster.start(node);
    await node.start();
    await cluster.create(swappingPod);
    const pod = await cluster.running('swapping');
    assert.deepEqual([await swapMax(pod), await swapMax(pod, 'unlimited')], [0, 0]);
    // What the gate wrote in the first boot is gone with its cgroups.
    assert.equal(await readCgroup(containerScope(pod, 'main'), 'memory.high'), 'max');
    await cluster.delete('swapping');
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
export const clusterCases: readonly GuestCase[] = [swap, memoryQos, eviction];
export const secondClusterCases: readonly GuestCase[] = [noSwap];
