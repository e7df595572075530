import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { PodSpec } from '@podwright/kube-types';
import { main, podManifest } from '../../pod-manifests.js';
import type { GuestCase } from '../guest-case.js';
import {
  cgroupExists,
  containerScope,
  KUBEPODS,
  podSlice,
  podSlices,
  readCgroup,
  readCgroupFiles,
} from '../guest-cgroups.js';
import { run, runOutput } from '../guest-commands.js';
import { joinWithNextStart } from './cluster-cases.js';
import { firstBootConfiguration, reservedMib, SWAP_FILE, swapMib } from '../guest-configuration.js';
import { memoryMib } from '../guest-memory.js';

const pod = (resources: PodSpec['containers'][number]['resources'] = {}): Partial<PodSpec> => ({
  containers: [main({ resources })],
});
const Mi = 1024 * 1024;

const start: GuestCase = {
  name: 'the kubelet starts with the driver that the runtime names, whatever its configuration says',
  boot: 0,
  vital: true,
  run: async (node) => {
    await run('fallocate', '-l', `${swapMib}M`, SWAP_FILE);
    await run('chmod', '600', SWAP_FILE);
    await run('mkswap', SWAP_FILE);
    await run('swapon', SWAP_FILE);
    await node.install(firstBootConfiguration);
    await node.waitFor('the slices of both classes', async () => {
      const names = ['burstable', 'besteffort'].map((name) => `${KUBEPODS}/kubepods-${name}.slice`);
      return (await Promise.all(names.map(cgroupExists))).every(Boolean);
    });
    assert.equal(await cgroupExists('kubepods'), false, 'a cgroup of the other driver');
  },
};

const limits: GuestCase = {
  name: 'pods of each class have slices named as upstream, with their limits in v2 files',
  boot: 0,
  run: async (node) => {
    const resources = { cpu: '200m', memory: '64Mi' };
    await node.add(podManifest('guaranteed', pod({ limits: resources, requests: resources })));
    const burstableResources = { requests: { cpu: '100m', memory: '32Mi' }, limits: { memory: '96Mi' } };
    await node.add(podManifest('burstable', pod(burstableResources)));
    await node.add(podManifest('besteffort', pod()));
    const [guaranteed, burstable, besteffort] = [
      await node.running('guaranteed'),
      await node.running('burstable'),
      await node.running('besteffort'),
    ];
    const files = ['memory.max', 'cpu.max', 'cpu.weight', 'pids.max'] as const;
    assert.deepEqual(await readCgroupFiles(podSlice(guaranteed), files), {
      'memory.max': String(64 * Mi),
      'cpu.max': '20000 100000',
      'cpu.weight': '8', // from 204 shares
      'pids.max': '200',
    });
    assert.deepEqual(await readCgroupFiles(podSlice(burstable), files), {
      'memory.max': String(96 * Mi),
      'cpu.max': 'max 100000',
      'cpu.weight': '4', // from 102 shares
      'pids.max': '200',
    });
    assert.deepEqual(await readCgroupFiles(podSlice(besteffort), files), {
      'memory.max': 'max',
      'cpu.max': 'max 100000',
      'cpu.weight': '1',
      'pids.max': '200',
    });
    const scope = containerScope(guaranteed, 'main');
    assert.deepEqual(await readCgroupFiles(scope, ['memory.max', 'cpu.max', 'memory.oom.group']), {
      'memory.max': String(64 * Mi),
      'cpu.max': '20000 100000',
      'memory.oom.group': '1',
    });
  },
};

const packetFilter: GuestCase = {
  name: 'the iptables chains that other components look for are there',
  boot: 0,
  run: async (node) => {
    await node.waitFor('the chains', async () => {
      const [hint, firewall] = [await runOutput('iptables', '-t', 'mangle', '-S'), await runOutput('iptables', '-S')];
      return hint.includes('-N KUBE-IPTABLES-HINT') && /^-A KUBE-FIREWALL .* -j DROP$/m.test(firewall);
    });
  },
};

const allocatable: GuestCase = {
  name: 'pods together get what the node does not reserve',
  boot: 0,
  run: async () => {
    const expected = (await memoryMib('MemTotal')) - reservedMib;
    const actual = Number(await readCgroup(KUBEPODS, 'memory.max')) / Mi;
    assert.ok(Math.abs(actual - expected) < 0.01, `memory.max is ${actual} MiB, not ${expected}`);
    // 2 processors less 100m are 1945 shares.
    assert.equal(await readCgroup(KUBEPODS, 'cpu.weight'), '75');
  },
};

const removed: GuestCase = {
  name: 'of a removed pod no slice stays',
  boot: 0,
  run: async (node) => {
    const slice = podSlice(await node.running('besteffort'));
    assert.equal(await cgroupExists(slice), true);
    await node.remove('besteffort');
    await node.waitFor(`${slice} is gone`, async () => !(await cgroupExists(slice)));
  },
};

const orphans: GuestCase = {
  name: 'after kill -9 the slices of pods that went meanwhile are removed, and those of others stay',
  boot: 0,
  run: async (node) => {
    const guaranteed = podSlice(await node.running('guaranteed'));
    const burstable = podSlice(await node.running('burstable'));
    await joinWithNextStart(node); // a start of the kubelet is expensive here, so this one serves other cases too
    await node.crash();
    assert.equal(await cgroupExists(guaranteed), true);
    const wanted = (await podSlices()).filter((slice) => !burstable.endsWith(slice)).sort();
    const forgotten = 'kubepods-besteffort-pod11111111_2222_3333_4444_555555555555.slice';
    await run('systemctl', 'start', forgotten);
    await node.remove('burstable');
    await node.start();
    await node.waitFor('only the pods that are wanted have slices', async () =>
      isDeepStrictEqual([...(await podSlices())].sort(), wanted),
    );
    assert.equal(await cgroupExists(burstable), false);
    const { status } = await node.running('guaranteed');
    assert.equal(status?.containerStatuses?.[0]?.restartCount, 0);
  },
};

export const cgroupCases: readonly GuestCase[] = [start, limits, packetFilter, allocatable, removed];
export const crashCases: readonly GuestCase[] = [orphans];
