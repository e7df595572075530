import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { allCombinations, combinations } from './combinations.js';
import {
  cpuDifference,
  cpuIntersection,
  cpuSetOf,
  cpuSetsEqual,
  cpuUnion,
  formatCpuList,
  isCpuSubset,
} from './cpu-set.js';
import { readMachineTopology } from './read-machine-topology.js';

const system = 'sys/devices/system';

describe('where CPUs and memory lie', () => {
  let host: string;
  const put = async (files: Readonly<Record<string, string>>): Promise<void> => {
    for (const [file, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(host, file)), { recursive: true });
      await writeFile(path.join(host, file), text);
    }
  };
  const cpu = (id: number, core: number, socket: number): Record<string, string> => ({
    [`${system}/cpu/cpu${id}/topology/core_id`]: `${core}\n`,
    [`${system}/cpu/cpu${id}/topology/physical_package_id`]: `${socket}\n`,
  });
  const node = (id: number, cpus: readonly number[], memoryKib: number, distance: string): Record<string, string> => ({
    [`${system}/node/node${id}/meminfo`]: `Node ${id} MemTotal:       ${memoryKib} kB\nNode ${id} MemFree: 1 kB\n`,
    [`${system}/node/node${id}/distance`]: `${distance}\n`,
    ...Object.fromEntries(cpus.map((one) => [`${system}/node/node${id}/cpu${one}/online`, '1\n'])),
  });
  const cache = (id: number, level: number, map: string, cacheId = 0): Record<string, string> => {
    const folder = `${system}/cpu/cpu${id}/cache/index${level}`;
    return {
      [`${folder}/id`]: `${cacheId}\n`,
      [`${folder}/size`]: '32768K\n',
      [`${folder}/level`]: `${level}\n`,
      [`${folder}/type`]: 'Unified\n',
      [`${folder}/shared_cpu_map`]: `${map}\n`,
    };
  };
  const read = (): ReturnType<typeof readMachineTopology> => readMachineTopology({ hostRoot: host });

  beforeEach(async () => {
    host = await mkdtemp(path.join(tmpdir(), 'podwright-topology-'));
  });
  afterEach(() => rm(host, { recursive: true, force: true }));

  it('two sockets with SMT, one CPU offline', async () => {
    await put({
      [`${system}/cpu/online`]: '0-2,4-7\n',
      'proc/cpuinfo': 'physical id\t: 0\nphysical id\t: 0\nphysical id\t: 1\n',
      ...node(0, [0, 1, 4, 5], 1024, '10 21'),
      ...node(1, [2, 3, 6, 7], 2048, '21 10'),
      [`${system}/node/node1/hugepages/hugepages-2048kB/nr_hugepages`]: '8\n',
      ...cpu(0, 0, 0),
      ...cpu(1, 1, 0),
      ...cpu(2, 0, 1),
      ...cpu(3, 1, 1),
      ...cpu(4, 0, 0),
      ...cpu(5, 1, 0),
      ...cpu(6, 0, 1),
      ...cpu(7, 1, 1),
    });
    const core = (coreId: number, socketId: number, ...threads: number[]): object => ({
      coreId,
      socketId,
      threads,
      uncoreCaches: [],
    });
    expect(await read()).toEqual({
      cpuCount: 7,
      socketCount: 2,
      nodes: [
        {
          id: 0,
          memoryBytes: 2 ** 20,
          hugePages: [],
          distances: [10, 21],
          cores: [core(0, 0, 0, 4), core(1, 0, 1, 5)],
        },
        {
          id: 1,
          memoryBytes: 2 ** 21,
          hugePages: [{ sizeBytes: 2 ** 21, pages: 8 }],
          distances: [21, 10],
          cores: [core(0, 1, 2, 6), core(1, 1, 7)],
        },
      ],
    });
  });

  it('caches that a part of a node shares, and a node that has memory alone', async () => {
    const ids = [0, 1, 2, 3];
    await put({
      ...node(0, ids, 1024, '10 20'),
      ...node(1, [], 4096, '20 10'),
      ...Object.assign({}, ...ids.map((id) => cpu(id, id, 0))),
      ...Object.assign({}, ...ids.map((id) => cache(id, 2, (1 << id).toString(16), id))),
      ...Object.assign({}, ...ids.map((id) => cache(id, 3, id < 2 ? '00000000,00000003' : 'c', id < 2 ? 7 : 8))),
    });
    const { nodes, socketCount } = await read();
    const ofCache = (id: number): object[] => [{ id, sizeBytes: 2 ** 25, type: 'Unified', level: 3 }];
    expect(nodes[0]?.cores.map(({ uncoreCaches }) => uncoreCaches)).toEqual([
      ofCache(7),
      ofCache(7),
      ofCache(8),
      ofCache(8),
    ]);
    expect(nodes[1]).toMatchObject({ id: 1, cores: [], memoryBytes: 2 ** 22 });
    // Without cpuinfo the sockets of the CPUs count.
    expect(socketCount).toBe(1);
  });

  it('a cache that all of the node share is none of its own; caches that cannot be read are left out', async () => {
    await put({
      ...node(0, [0, 1], 1024, '10'),
      ...cpu(0, 0, 0),
      ...cpu(1, 1, 0),
      ...cache(0, 3, '3'),
      ...cache(1, 3, 'no map'),
    });
    expect((await read()).nodes[0]?.cores.map(({ uncoreCaches }) => uncoreCaches)).toEqual([[], []]);
  });

  it('sorts nodes as upstream does, and has no distances where the kernel tells none', async () => {
    for (const id of [0, 1, 2, 10]) await put({ [`${system}/node/node${id}/meminfo`]: `Node ${id} MemTotal: 1 kB\n` });
    const { nodes } = await read();
    expect(nodes.map(({ id }) => id)).toEqual([0, 1, 10, 2]);
    expect(nodes[0]).not.toHaveProperty('distances');
  });

  it('a kernel without NUMA: one node per socket', async () => {
    await put({ ...cpu(0, 0, 0), ...cpu(1, 0, 1), [`${system}/cpu/cpu2/uevent`]: '' });
    const { nodes, cpuCount, socketCount } = await read();
    expect(nodes).toMatchObject([
      { id: 0, memoryBytes: 0, cores: [{ threads: [0] }] },
      { id: 1, memoryBytes: 0, cores: [{ threads: [1] }] },
    ]);
    expect([cpuCount, socketCount]).toEqual([3, 2]);
  });

  it('rejects with the file that cannot be understood', async () => {
    await expect(read()).rejects.toThrow('no CPU is available');
    await put({ ...node(0, [0], 1024, '10 x') });
    await expect(read()).rejects.toThrow('distance');
    await put({ ...node(0, [0], 1024, '10'), ...cpu(0, 0, 0), [`${system}/cpu/cpu0/topology/core_id`]: 'x' });
    await expect(read()).rejects.toThrow('core_id');
  });
});

describe('sets of CPUs', () => {
  it.each([
    [[], ''],
    [[3], '3'],
    [[0, 1, 2, 7], '0-2,7'],
    [[1, 3, 5], '1,3,5'],
    [[0, 1, 3, 4, 6], '0-1,3-4,6'],
  ])('%j is %s', (cpus, text) => {
    expect(formatCpuList(cpus)).toBe(text);
  });

  it('are ascending, whatever is done with them', () => {
    expect(cpuSetOf([10, 9, 2, 2])).toEqual([2, 9, 10]);
    expect(cpuUnion([5, 10], [1, 5])).toEqual([1, 5, 10]);
    expect(cpuDifference([1, 2, 3, 4], [2], [4])).toEqual([1, 3]);
    expect(cpuIntersection([1, 2, 3], [3, 1])).toEqual([1, 3]);
    expect([isCpuSubset([1], [1, 2]), isCpuSubset([3], [1, 2])]).toEqual([true, false]);
    expect([cpuSetsEqual([1, 2], [1, 2]), cpuSetsEqual([1], [1, 2])]).toEqual([true, false]);
  });
});

describe('combinations', () => {
  it('come in lexicographic order, small ones first', () => {
    expect([...combinations(['a', 'b', 'c'], 2)]).toEqual([
      ['a', 'b'],
      ['a', 'c'],
      ['b', 'c'],
    ]);
    expect([...combinations([1, 2], 3)]).toEqual([]);
    expect([...combinations([1, 2], 0)]).toEqual([]);
    expect([...allCombinations([1, 2])]).toEqual([[1], [2], [1, 2]]);
  });
});
