import { readFile } from 'node:fs/promises';
import os from 'node:os';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createCgroup, labSupport } from '@podwright/lab';
import { readKernelCgroup, memoryCgroupOf } from './kernel-cgroup.js';
import { expectPodExplained } from './explained.js';
import { main, podManifest } from './pod-manifests.js';
import { useLab } from './test-lab.js';
import type { TestNode } from './test-node.js';
import { untilHolds } from './wait-for.js';

const Mi = 2 ** 20;
const support = labSupport();
const onLab = support.ok ? describe : describe.skip;
const shares = (milli: number): number => Math.trunc((milli * 1024) / 1000);

onLab(`cgroups of a node${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab();
  let node: TestNode;
  let started = 0;
  const root = (): string => bed().lab.cgroupRoot;

  beforeEach(async () => {
    started += 1;
    await createCgroup(`${root()}/kube-parts`);
    node = await bed().startNode(`cgroups-${started}`, {
      configuration: {
        cgroupRoot: root(),
        cgroupDriver: 'systemd', // which the runtime knows better
        systemReserved: { cpu: '100m', memory: '96Mi', pid: '100' },
        kubeReserved: { cpu: '100m', memory: '64Mi', pid: '50' },
        enforceNodeAllocatable: ['pods', 'kube-reserved'],
        kubeReservedCgroup: `${root()}/kube-parts`,
        kubeletCgroups: `${root()}/kubelet`,
        podPidsLimit: 300,
      },
    });
    await node.untilUp();
  });

  const pidOf = async (name: string): Promise<number> => {
    const [container] = await bed().runtime.running(node.podName(name));
    return bed().runtime.pid(container?.id ?? '');
  };
  const add = async (name: string, resources: object): Promise<string> => {
    await node.add(podManifest(name, { containers: [main({ resources })] }));
    await node.waitForPod(name, 'runs', ({ status }) => status?.phase === 'Running');
    const pid = await pidOf(name);
    const cgroup = await memoryCgroupOf(pid);
    return cgroup.slice(0, cgroup.lastIndexOf('/'));
  };
  const nodeEvents = async (): Promise<readonly string[]> =>
    (await node.log()).filter((line) => line.includes('NodeAllocatableEnforce'));

  it('keeps all pods within what is not reserved, and what is reserved within that', async () => {
    const memory = Number(/^MemTotal:\s+(\d+)/m.exec(await readFile('/proc/meminfo', 'utf8'))?.[1]) * 1024;
    const [pidMax, threads] = await Promise.all(
      ['pid_max', 'threads-max'].map(async (name) => Number(await readFile(`/proc/sys/kernel/${name}`, 'utf8'))),
    );
    const cores = os.cpus().length;
    await node.waitFor('limits are told', async () => (await nodeEvents()).length >= 2);
    expect(await readKernelCgroup(`${root()}/kubepods`)).toMatchObject({
      shares: shares(cores * 1000 - 200),
      memoryBytes: memory - 160 * Mi,
      pids: String(Math.min(pidMax ?? 0, threads ?? 0) - 150),
    });
    expect(await readKernelCgroup(`${root()}/kube-parts`)).toMatchObject({
      shares: shares(100),
      memoryBytes: 64 * Mi,
      pids: '50',
    });
    const events = (await nodeEvents()).join('\n');
    expect(events).toContain('Updated Node Allocatable limit across pods');
    expect(events).toContain(`Updated limits on kube reserved cgroup ${root()}/kube-parts`);
    expect(events).not.toContain('Failed');
    await untilHolds(async () => {
      const summary = JSON.parse(await node.kubelet.ask('/stats/summary')) as {
        node: { systemContainers: { name: string; memory?: { availableBytes?: number } }[] };
      };
      const pods = summary.node.systemContainers.find(({ name }) => name === 'pods');
      expect(pods?.memory?.availableBytes).toBeGreaterThan(memory / 2);
    });
  });

  it('takes the driver from a runtime that names it, and is where it was told to be', async () => {
    expect((await node.log()).join('\n')).toMatch(
      /Using cgroup driver setting received from the CRI runtime.*cgroupfs|Falling back to using cgroupDriver/,
    );
    const pid = node.kubelet.child.pid ?? 0;
    await node.waitFor('the kubelet has moved', async () => (await memoryCgroupOf(pid)) === `${root()}/kubelet`);
  });

  it('gives a pod of each class what it asks for, and its class the sum', async () => {
    const guaranteed = { cpu: '200m', memory: '48Mi' };
    const ofGuaranteed = await add('guaranteed', { requests: guaranteed, limits: guaranteed });
    expect(ofGuaranteed).toMatch(new RegExp(`^${root()}/kubepods/pod[^/]+$`));
    expect(await readKernelCgroup(ofGuaranteed)).toMatchObject({
      shares: shares(200),
      quotaUs: 20_000,
      memoryBytes: 48 * Mi,
      pids: '300',
    });
    const ofLimited = await add('limited', { requests: { cpu: '50m' }, limits: { cpu: '150m', memory: '64Mi' } });
    expect(ofLimited).toMatch(new RegExp(`^${root()}/kubepods/burstable/pod[^/]+$`));
    expect(await readKernelCgroup(ofLimited)).toMatchObject({
      shares: shares(50),
      quotaUs: 15_000,
      memoryBytes: 64 * Mi,
      pids: '300',
    });
    const ofOpen = await add('open', { requests: { cpu: '100m', memory: '32Mi' } });
    const open = await readKernelCgroup(ofOpen);
    expect(open).toMatchObject({ shares: shares(100), quotaUs: -1, pids: '300' });
    expect(open.memoryBytes ?? NaN).not.toBe(32 * Mi);
    expect((await readKernelCgroup(`${root()}/kubepods/burstable`)).shares).toBe(shares(150));
    const hungry = ['dd', 'if=/dev/zero', 'of=/dev/null', 'bs=64M', 'count=1'];
    await node.add(
      podManifest('hungry', { containers: [main({ command: hungry, resources: { limits: { memory: '16Mi' } } })] }),
    );
    const ofNothing = await add('nothing', {});
    expect(ofNothing).toMatch(new RegExp(`^${root()}/kubepods/besteffort/pod[^/]+$`));
    expect(await readKernelCgroup(ofNothing)).toMatchObject({ shares: 2, quotaUs: -1, pids: '300' });
    expect((await readKernelCgroup(`${root()}/kubepods/besteffort`)).shares).toBe(2);
    for (const cgroup of [ofGuaranteed, ofLimited, ofOpen, ofNothing])
      expect([undefined, 0]).toContain((await readKernelCgroup(cgroup)).hugePageBytes);

    await node.remove('open.json');
    await node.removed('open');
    await node.waitFor('its class weighs less', async () => {
      return (await readKernelCgroup(`${root()}/kubepods/burstable`)).shares === shares(50);
    });
    await node.waitFor('its own cgroup is gone', async () => (await readKernelCgroup(ofOpen)).shares === undefined);
    // It has been killed for the second time by now.
    await expectPodExplained(node, node.podName('hungry'), 'out-of-memory');
  });
});
