import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { labSupport } from '@podwright/lab';
import { PodResourcesClient } from '@podwright/pod-resources-interface/contract';
import { ApiPodFile } from './api-pod-file.js';
import { expectPodExplained } from './explained.js';
import { main, podManifest, script } from './pod-manifests.js';
import { useLab } from './test-lab.js';
import type { TestNode } from './test-node.js';
import { untilHolds } from './wait-for.js';

const support = labSupport();
const cores = os.cpus().length;
const why = !support.ok ? support.reason : cores < 2 ? 'needs two CPUs' : '';
const onLab = why === '' ? describe : describe.skip;
const others = cores === 2 ? '1' : `1-${cores - 1}`;

onLab(`a node that gives out CPUs${why === '' ? '' : ` (skipped: ${why})`}`, () => {
  const bed = useLab();
  const configuration = {
    cpuManagerPolicy: 'static',
    reservedSystemCPUs: '0',
    cpuManagerReconcilePeriod: '1s',
    topologyManagerPolicy: 'single-numa-node',
  };
  let node: TestNode;
  let started = 0;

  beforeEach(async () => {
    started += 1;
    node = await bed().startNode(`cpus-${started}`, { configuration });
    await node.untilUp();
  });

  const pidOf = async (name: string): Promise<number | undefined> => {
    const [container] = await bed().runtime.running(node.podName(name));
    return container === undefined ? undefined : bed().runtime.pid(container.id);
  };
  /** What the kernel lets the container run on, by its process and by its cgroup. */
  const cpusOf = async (name: string): Promise<readonly string[]> => {
    const pid = await pidOf(name);
    if (pid === undefined) return [];
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const lines = (await readFile(`/proc/${pid}/cgroup`, 'utf8')).split('\n').map((line) => line.split(':'));
    const v1 = lines.find(([, names]) => names?.split(',').includes('cpuset'));
    const [, , own = ''] = v1 ?? lines.find(([, names]) => names === '') ?? [];
    const file = path.join('/sys/fs/cgroup', v1 === undefined ? '' : 'cpuset', own, 'cpuset.cpus');
    return [/^Cpus_allowed_list:\s+(\S+)/m.exec(status)?.[1] ?? '', (await readFile(file, 'utf8')).trim()];
  };
  const runsOn = (name: string, cpus: string): Promise<void> =>
    untilHolds(async () => expect([name, ...(await cpusOf(name))]).toEqual([name, cpus, cpus]));
  const quotaOf = async (name: string): Promise<string> => {
    const pid = (await pidOf(name)) ?? 0;
    const lines = (await readFile(`/proc/${pid}/cgroup`, 'utf8')).split('\n').map((line) => line.split(':'));
    const v1 = lines.find(([, names]) => names?.split(',').includes('cpu'));
    const [, , own = ''] = v1 ?? lines.find(([, names]) => names === '') ?? [];
    const file = v1 === undefined ? path.join(own, 'cpu.max') : path.join('cpu', own, 'cpu.cfs_quota_us');
    return (await readFile(path.join('/sys/fs/cgroup', file), 'utf8')).trim().split(' ')[0] ?? '';
  };
  const pinned = (cpu: string): ReturnType<typeof podManifest> => {
    const amounts = { cpu, memory: '32Mi' };
    const told = script(
      'grep Cpus_allowed_list /proc/self/status > /tmp/told; trap "exit 0" TERM; sleep 1000000 & wait',
    );
    return podManifest('pinned', {
      containers: [main({ command: [...told], resources: { requests: amounts, limits: amounts } })],
    });
  };
  const given = async (): Promise<unknown> => {
    const client = new PodResourcesClient(path.join(node.dir, 'root/pod-resources/kubelet.sock'));
    try {
      const { podResources } = await client.list();
      return Object.fromEntries(
        podResources.map(({ name, containers }) => [name, containers.flatMap(({ cpuIds }) => cpuIds.map(Number))]),
      );
    } finally {
      client.close();
    }
  };
  const stored = async (): Promise<{ defaultCpuSet: string; entries?: object }> =>
    JSON.parse(await readFile(path.join(node.dir, 'root/cpu_manager_state'), 'utf8')) as never;

  it('pins a pod, takes its CPUs from the others, keeps that over kill -9 and gives it back', async () => {
    const all = `0-${cores - 1}`;
    await node.add(podManifest('shared'));
    await node.waitForPod('shared', 'runs', ({ status }) => status?.phase === 'Running');
    await runsOn('shared', all);

    await node.add(pinned(String(cores - 1)));
    const pod = await node.waitForPod('pinned', 'runs', ({ status }) => status?.phase === 'Running');
    await runsOn('pinned', others);
    // The container runs a moment before its first command has written.
    let inside = '';
    await node.waitFor(
      'pinned has written its CPUs',
      async () => (inside = await readFile(`/proc/${await pidOf('pinned')}/root/tmp/told`, 'utf8')) !== '',
      {},
      () => 'the file is empty\n',
    );
    expect(inside).toMatch(new RegExp(`^Cpus_allowed_list:\\s+${others}\n$`));
    await runsOn('shared', '0');
    expect(await quotaOf('pinned')).toMatch(/^(-1|max)$/);
    const ids = others === '1' ? [1] : Array.from({ length: cores - 1 }, (_, index) => index + 1);
    expect(await given()).toEqual({ [node.podName('pinned')]: ids, [node.podName('shared')]: [] });
    const uid = pod.metadata.uid ?? '';
    expect(await stored()).toMatchObject({ defaultCpuSet: '0', entries: { [uid]: { main: others } } });

    const pid = await pidOf('pinned');
    await node.end('SIGKILL');
    await node.start();
    await node.untilUp();
    await node.waitForPod('pinned', 'runs still', ({ status }) => status?.phase === 'Running');
    expect(await pidOf('pinned')).toBe(pid);
    await runsOn('pinned', others);
    await runsOn('shared', '0');

    await node.remove('pinned.json');
    await runsOn('shared', all);
    await untilHolds(async () => expect(await stored()).not.toHaveProperty('entries'));
  });

  it('refuses a pod that asks for more than there is, with the reason of the topology manager', async () => {
    await node.add(pinned(String(cores)));
    const pod = await node.waitForPod('pinned', 'is refused', ({ status }) => status?.phase === 'Failed');
    expect(pod.status).toMatchObject({
      reason: 'TopologyAffinityError',
      message: expect.stringContaining('Resources cannot be allocated with Topology locality') as never,
    });
    await expectPodExplained(node, node.podName('pinned'), 'refused-topology', { oneScreen: true });
  });

  it('says that another CPU request of a Guaranteed pod can never be granted', async () => {
    await node.end('SIGTERM');
    const api = new ApiPodFile(path.join(bed().lab.dir, 'guaranteed.json'));
    node = await bed().startNode(node.name, { configuration, assembly: api.assembly });
    const sized = (cpu: string): Pod['spec'] => {
      const amounts = { cpu, memory: '16Mi' };
      return { containers: [main({ resources: { requests: amounts, limits: amounts } })] };
    };
    const { metadata } = await api.add(podManifest('whole', sized('10m')));
    await node.waitFor('pod whole runs', async () => {
      const pods = await node.kubelet.pods();
      const { status } = pods.find(({ metadata: { name } }) => name === 'whole') ?? {};
      return status?.containerStatuses?.[0]?.state?.running !== undefined;
    });
    await api.update(metadata.uid ?? '', (spec) => ({ ...spec, ...sized('20m') }));
    await expectPodExplained(node, 'whole', 'resize-infeasible');
  });

  it('does not start with the state of another policy, and says which file to delete', async () => {
    await node.end('SIGTERM');
    const changed = await bed().startNode(node.name, { configuration: { cpuManagerPolicy: 'none' } });
    expect(await changed.kubelet.ended).toMatchObject({ code: 1 });
    const file = path.join(node.dir, 'root/cpu_manager_state');
    const reason = `start cpu manager error: could not restore state from checkpoint: configured policy "none" differs from state checkpoint policy "static", please drain this node and delete the CPU manager checkpoint file "${file}" before restarting Kubelet`;
    // The log has it in quotation marks.
    expect(changed.kubelet.lastLines(40)).toContain(JSON.stringify(reason).slice(1, -1));
  });
});
