import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Container, Pod } from '@podwright/kube-types';
import { labSupport } from '@podwright/lab';
import { ApiPodFile } from './api-pod-file.js';
import { expectPodExplained } from './explained.js';
import { main, podManifest } from './pod-manifests.js';
import { useLab } from './test-lab.js';
import type { TestNode } from './test-node.js';
import type { WaitOptions } from './wait-for.js';

const Mi = 2 ** 20;
const support = labSupport();
const onLab = support.ok ? describe : describe.skip;

interface Size {
  readonly cpu: string;
  readonly memory: string;
}

/** What the kernel has for one cgroup. */
interface CgroupValues {
  readonly quotaUs: number;
  readonly shares: number;
  readonly memoryBytes: number;
}

onLab(`a running pod${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab();
  let api: ApiPodFile;
  let node: TestNode;
  let started = 0;

  beforeEach(async () => {
    started++;
    api = new ApiPodFile(path.join(bed().lab.dir, `pods-${started}.json`));
    node = await bed().startNode(`resize-${started}`, {
      // By default the first try after a start comes after 30 s.
      assembly: [...api.assembly, { name: '@podwright/allocation', config: { firstRetryMs: 3_000 } }],
    });
  });
  afterEach(async () => {
    for (const pod of await node.kubelet.pods()) await api.remove(pod.metadata.uid ?? '');
    await node.waitFor('no container runs', async () => (await bed().runtime.running()).length === 0);
  });

  const sized = ({ cpu, memory }: Size, more: Partial<Container> = {}): Container =>
    main({ resources: { requests: { cpu, memory }, limits: { cpu, memory } }, ...more });
  const podNow = async (name: string): Promise<Pod | undefined> =>
    (await node.kubelet.pods()).find(({ metadata }) => metadata.name === name);
  const shows = (name: string, what: string, test: (pod: Pod) => boolean, options: WaitOptions = {}): Promise<Pod> => {
    const look = async (): Promise<Pod | false> => {
      const pod = await podNow(name);
      return pod !== undefined && test(pod) && pod;
    };
    return node.waitFor(`pod ${name} ${what}`, look, options);
  };
  const limitsOf = ({ status }: Pod) => status?.containerStatuses?.[0]?.resources?.limits;
  const conditions = ({ status }: Pod): string[] =>
    (status?.conditions ?? []).flatMap(({ type, reason = '' }) =>
      type.startsWith('PodResize') ? [`${type} ${reason}`.trim()] : [],
    );
  // A pod that comes again is Running by its former container, before it has another.
  const hasStarted = ({ status }: Pod): boolean => status?.containerStatuses?.[0]?.state?.running !== undefined;
  const pidOf = async (name: string): Promise<number> => {
    const [container] = await bed().runtime.running(name);
    return bed().runtime.pid(container?.id ?? '');
  };

  async function values(pid: number, level: 'container' | 'pod'): Promise<CgroupValues> {
    const lines = (await readFile(`/proc/${pid}/cgroup`, 'utf8')).split('\n').map((line) => line.split(':'));
    const read = async (controller: string, file: string): Promise<string> => {
      const v1 = lines.find(([, names]) => names?.split(',').includes(controller));
      const [, , own = ''] = v1 ?? lines.find(([, names]) => names === '') ?? [];
      const folder = level === 'pod' ? path.dirname(own) : own;
      return (
        await readFile(path.join('/sys/fs/cgroup', v1 === undefined ? '' : controller, folder, file), 'utf8')
      ).trim();
    };
    if (lines.some(([, names]) => names?.split(',').includes('memory'))) {
      return {
        quotaUs: Number(await read('cpu', 'cpu.cfs_quota_us')),
        shares: Number(await read('cpu', 'cpu.shares')),
        memoryBytes: Number(await read('memory', 'memory.limit_in_bytes')),
      };
    }
    const weight = Number(await read('cpu', 'cpu.weight'));
    return {
      quotaUs: Number((await read('cpu', 'cpu.max')).split(' ')[0]),
      shares: Math.round(((weight - 1) * 262142) / 9999 + 2),
      memoryBytes: Number(await read('memory', 'memory.max')),
    };
  }

  it('gets more and less CPU and memory without a restart, and the kernel has what the status shows', async () => {
    const { metadata } = await api.add(podManifest('web', { containers: [sized({ cpu: '200m', memory: '64Mi' })] }));
    const uid = metadata.uid ?? '';
    await shows('web', 'runs', hasStarted);
    const pid = await pidOf('web');
    expect(await values(pid, 'container')).toMatchObject({ quotaUs: 20_000, memoryBytes: 64 * Mi });
    for (const [cpu, memory, milli, mebibytes] of [
      ['500m', '128Mi', 500, 128],
      ['100m', '48Mi', 100, 48],
      ['300m', '32Mi', 300, 32],
    ] as const) {
      await api.update(uid, (spec) => ({ ...spec, containers: [sized({ cpu, memory })] }));
      const pod = await shows('web', `has ${cpu} and ${memory}`, (each) => {
        const limits = limitsOf(each);
        return limits?.['cpu'] === cpu && limits['memory'] === memory && conditions(each).length === 0;
      });
      expect(pod.status?.containerStatuses?.[0]).toMatchObject({
        restartCount: 0,
        allocatedResources: { cpu, memory },
      });
      expect(await pidOf('web')).toBe(pid);
      const expected = { quotaUs: milli * 100, memoryBytes: mebibytes * Mi };
      expect(await values(pid, 'container')).toMatchObject(expected);
      expect(await values(pid, 'pod')).toMatchObject({ ...expected, shares: Math.trunc((milli * 1024) / 1000) });
    }
    await api.add(podManifest('other', { containers: [sized({ cpu: '10m', memory: '16Mi' })] }));
    const all = String(cpus().length);
    await api.update(uid, (spec) => ({ ...spec, containers: [sized({ cpu: all, memory: '32Mi' })] }));
    await expectPodExplained(node, 'web', 'resize-deferred');
  });

  it('that crashes has what it was granted meanwhile when it starts again', async () => {
    const crashing = (size: Size): Container => sized(size, { command: ['sh', '-c', 'sleep 1; exit 1'] });
    const { metadata } = await api.add(podManifest('down', { containers: [crashing({ cpu: '50m', memory: '32Mi' })] }));
    const restarts = ({ status }: Pod): number => status?.containerStatuses?.[0]?.restartCount ?? 0;
    // CrashLoopBackOff shows only when the wait ends, and perhaps not at all, as the next status follows at once.
    await shows('down', 'waits', (pod) => {
      return pod.status?.containerStatuses?.[0]?.state?.running === undefined && restarts(pod) === 1;
    });
    const size = { cpu: '90m', memory: '48Mi' };
    await api.update(metadata.uid ?? '', (spec) => ({ ...spec, containers: [crashing(size)] }));
    await shows('down', 'runs again', (pod) => restarts(pod) > 1);
    const states = ({ status }: Pod) => status?.containerStatuses?.[0];
    const pod = await shows('down', 'has ended by itself', (each) => {
      return restarts(each) > 1 && states(each)?.state?.running === undefined;
    });
    const { state, lastState } = states(pod) ?? {};
    expect((state?.terminated ?? lastState?.terminated)?.reason).toBe('Error'); // not StartError: the kernel had room
  });

  it('is not given less memory than it uses, and gets it when it uses less', async () => {
    const hog = [
      'sh',
      '-c',
      'dd if=/dev/zero of=/dev/shm/hog bs=1M count=30; trap "exit 0" TERM; while :; do sleep 0.1; done',
    ];
    const container = (memory: string): Container => sized({ cpu: '200m', memory }, { command: hog });
    const { metadata } = await api.add(podManifest('hog', { containers: [container('64Mi')] }));
    await shows('hog', 'runs', hasStarted);
    const pid = await pidOf('hog');
    await node.waitFor(
      'it holds its memory',
      async () => (await readFile(`/proc/${pid}/root/dev/shm/hog`)).length === 30 * Mi,
    );
    await api.update(metadata.uid ?? '', (spec) => ({ ...spec, containers: [container('24Mi')] }));
    const pod = await shows('hog', 'is refused', (each) => conditions(each).includes('PodResizeInProgress Error'));
    const { message } = pod.status?.conditions?.find(({ type }) => type === 'PodResizeInProgress') ?? {};
    expect(message).toMatch(
      /^cannot decrease memory limits: \[?attempting to set pod memory limit \(25165824\) below current usage/,
    );
    expect(await values(pid, 'container')).toMatchObject({ memoryBytes: 64 * Mi });
    await bed().runtime.exec((await bed().runtime.running('hog'))[0]?.id ?? '', 'rm', '/dev/shm/hog');
    await shows('hog', 'has less', (each) => limitsOf(each)?.['memory'] === '24Mi');
    expect(await values(pid, 'container')).toMatchObject({ memoryBytes: 24 * Mi });
  });

  it('is restarted where its policy says so', async () => {
    const policy = { resizePolicy: [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }] };
    const { metadata } = await api.add(
      podManifest('again', { containers: [sized({ cpu: '200m', memory: '32Mi' }, policy)] }),
    );
    await shows('again', 'runs', hasStarted);
    const containers = [sized({ cpu: '200m', memory: '64Mi' }, policy)];
    await api.update(metadata.uid ?? '', (spec) => ({ ...spec, containers }));
    await shows('again', 'was restarted', ({ status }) => status?.containerStatuses?.[0]?.restartCount === 1);
    const pid = await node.waitFor('it runs again', () => pidOf('again').catch(() => false as const));
    expect(await values(pid, 'container')).toMatchObject({ memoryBytes: 64 * Mi });
    expect(await values(pid, 'pod')).toMatchObject({ memoryBytes: 64 * Mi });
  });

  it('keeps what it was granted over a kill of the kubelet, and is resized by the next one', async () => {
    const { metadata } = await api.add(podManifest('web', { containers: [sized({ cpu: '200m', memory: '64Mi' })] }));
    await shows('web', 'runs', hasStarted);
    const pid = await pidOf('web');
    await node.end('SIGKILL');
    await api.update(metadata.uid ?? '', (spec) => ({ ...spec, containers: [sized({ cpu: '400m', memory: '64Mi' })] }));
    await node.start();
    // As upstream: the sources are ready only after their pods were added, so the first try is the periodic one.
    const isResized = (each: Pod): boolean => limitsOf(each)?.['cpu'] === '400m';
    await shows('web', 'has its new size', isResized, { withinMs: 90_000 });
    expect(await pidOf('web')).toBe(pid);
    expect(await values(pid, 'container')).toMatchObject({ quotaUs: 40_000 });
  });
});
