import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { cgroupHierarchies, hugePageSizes } from '@podwright/cgroup-files';
import { imitateCgroups, type ImitationOptions } from './fixtures/imitated-cgroups.js';
import { openCgroupTree } from './open-cgroup-tree.js';
import { QosCgroups, type QosCgroupsOptions } from './qos-cgroups.js';

let base = '';
beforeAll(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'qos-'));
});
afterAll(() => rm(base, { recursive: true }));

async function setUp(
  imitation: ImitationOptions,
  config: Partial<QosCgroupsOptions['config']> = {},
  further: Partial<QosCgroupsOptions> = {},
) {
  const cgroups = await imitateCgroups(base, imitation);
  const sizes = await hugePageSizes(cgroups.hugePagesDir);
  const refused: string[] = [];
  const again = async (): Promise<QosCgroups> => {
    const tree = openCgroupTree(cgroups.files, await cgroupHierarchies(cgroups.mountInfoFile));
    if (tree === undefined) throw new Error('no hierarchies');
    return new QosCgroups(tree, {
      kubepods: '/kubepods',
      burstable: '/kubepods/burstable',
      bestEffort: '/kubepods/besteffort',
      hugePageSizes: sizes,
      config: {
        podLevelResources: true,
        memoryQos: false,
        memoryReservationPolicy: 'None',
        qosReservedMemoryPercent: 0,
        ...config,
      },
      ...further,
      onRefused: ({ file }) => void refused.push(file),
    });
  };
  const value = (cgroup: string, file: string): Promise<string> =>
    cgroups.value(file.split('.')[0] ?? '', path.join('/kubepods', cgroup), file);
  return { ...cgroups, qos: await again(), again, refused, value };
}

const list = (cpu: string, memory: string) => ({ cpu, memory });
const pod = (uid: string, requests: object, limits?: object): Pod => ({
  metadata: { uid },
  spec: { containers: [{ name: 'a', resources: { requests, ...(limits && { limits }) } } as never] },
});
const burstable = (uid: string, cpu: string): Pod => pod(uid, list(cpu, '64Mi'));
const guaranteed = (uid: string): Pod => pod(uid, list('1', '1Gi'), list('1', '1Gi'));

describe('QosCgroups', () => {
  it.each<[1 | 2, string, string, string, string]>([
    [1, 'cpu.shares', '2', '2', 'hugetlb.2MB.limit_in_bytes'],
    [2, 'cpu.weight', '1', '1', 'hugetlb.2MB.max'],
  ])('makes the classes with their first values, v%d', async (version, cpu, first, least, hugetlb) => {
    const { qos, value } = await setUp({ version });
    await expect(qos.create()).resolves.toEqual([]);
    expect(await value('burstable', cpu)).toBe(first);
    expect(await value('besteffort', cpu)).toBe(least);
    for (const cgroup of ['', 'burstable', 'besteffort']) expect(await value(cgroup, hugetlb)).toBe(`${2n ** 62n}`);
  });

  it.each<[1 | 2, string, readonly string[]]>([
    [1, 'cpu.shares', ['307', '819', '819', '512', '2']],
    [2, 'cpu.weight', ['12', '32', '32', '20', '1']],
  ])('follows the requests of Burstable pods, v%d', async (version, cpu, [one, two, same, less, none]) => {
    const { qos, value } = await setUp({ version });
    await qos.create();
    const shares = async (): Promise<string> => {
      await qos.update();
      return value('burstable', cpu);
    };
    qos.observe(burstable('1', '300m'));
    expect(await shares()).toBe(one);
    qos.observe(burstable('2', '500m'));
    expect(await shares()).toBe(two);
    qos.observe(guaranteed('3'));
    qos.observe(pod('4', {}));
    expect(await shares()).toBe(same);
    qos.observe(burstable('2', '200m'));
    expect(await shares()).toBe(less);
    qos.forget('1');
    qos.forget('2');
    expect(await shares()).toBe(none);
  });

  it('writes nothing when nothing has changed, unless asked to', async () => {
    const { qos, operations, set, value } = await setUp({ version: 1 });
    await qos.create();
    qos.observe(burstable('1', '1'));
    await qos.update();
    operations.length = 0;
    await qos.update();
    expect(operations).toEqual([]);
    await set('cpu', '/kubepods/burstable', 'cpu.shares', '7');
    await set('cpu', '/kubepods/besteffort', 'cpu.shares', '7');
    await qos.update({ anyway: true });
    expect(await value('burstable', 'cpu.shares')).toBe('1024');
    expect(await value('besteffort', 'cpu.shares')).toBe('2');
  });

  it('leaves the pods of an earlier run their shares until they are known', async () => {
    const { qos, again, value, set } = await setUp({ version: 1 });
    await qos.create();
    qos.observe(burstable('1', '2'));
    await qos.update();
    await set('cpu', '/kubepods/besteffort', 'cpu.shares', '1024');
    const next = await again();
    await next.create();
    expect(await value('burstable', 'cpu.shares')).toBe('2048');
    expect(await value('besteffort', 'cpu.shares')).toBe('2');
  });

  it('makes the classes again when somebody removed them', async () => {
    const { qos, files, mounts, count, value } = await setUp({ version: 1 });
    await qos.create();
    for (const mount of Object.values(mounts)) await files.removeDirectory(path.join(mount, 'kubepods/burstable'));
    expect(await count('/kubepods/burstable')).toBe(0);
    qos.observe(burstable('1', '1'));
    await qos.update();
    expect(await value('burstable', 'cpu.shares')).toBe('1024');
  });

  it('fills the cpusets of v1, which start empty', async () => {
    const { qos, value } = await setUp({ version: 1 });
    await qos.create();
    for (const cgroup of ['', 'burstable', 'besteffort']) {
      expect(await value(cgroup, 'cpuset.cpus')).toBe('0-3');
      expect(await value(cgroup, 'cpuset.mems')).toBe('0');
    }
  });

  it('tells which controllers nobody passes on, and goes on without them', async () => {
    const { qos, value } = await setUp({ version: 2, undelegated: ['cpu', 'hugetlb'] });
    expect([...(await qos.create())].sort()).toEqual(['cpu', 'hugetlb']);
    expect(await value('burstable', 'memory.max')).toBe('max');
    qos.observe(burstable('1', '1'));
    await expect(qos.update()).resolves.toBeUndefined();
  });

  it('goes on without a value that the kernel refuses', async () => {
    const refuse = (file: string): string | undefined => (file.includes('hugetlb.1GB') ? 'EPERM' : undefined);
    const { qos, value, refused } = await setUp({ version: 1, refuse });
    await qos.create();
    expect(new Set(refused)).toEqual(new Set(['hugetlb.1GB.limit_in_bytes', 'hugetlb.1GB.rsvd.limit_in_bytes']));
    expect(await value('besteffort', 'cpu.shares')).toBe('2');
  });

  it('hands a failed update to its caller, and the next one starts anew', async () => {
    let code: string | undefined;
    const refuse = (file: string): string | undefined => (file.endsWith('cpu.shares') ? code : undefined);
    const { qos, value } = await setUp({ version: 1, refuse });
    await qos.create();
    qos.observe(burstable('1', '1'));
    code = 'EIO';
    await expect(qos.update()).rejects.toMatchObject({ code: 'EIO' });
    code = undefined;
    await qos.update();
    expect(await value('burstable', 'cpu.shares')).toBe('1024');
  });

  it.each<['None' | 'TieredReservation', string, string]>([
    ['TieredReservation', `${2 ** 30 + 2 ** 26}`, `${2 ** 26}`],
    ['None', '0', '0'],
  ])('reserves memory for the pods below, policy %s', async (memoryReservationPolicy, min, low) => {
    const { qos, value } = await setUp({ version: 2 }, { memoryQos: true, memoryReservationPolicy });
    await qos.create();
    qos.observe(guaranteed('1'));
    qos.observe(burstable('2', '1'));
    await qos.update();
    expect(await value('', 'memory.min')).toBe(min);
    expect(await value('burstable', 'memory.low')).toBe(low);
    expect(await value('besteffort', 'memory.min')).toBe('0');
  });
});
