import { describe, expect, it } from '@jest/globals';
import { parseCpuList } from '@podwright/kubelet-configuration';
import { formatCpuList, isCpuSubset, type MachineCore } from '@podwright/machine';
import { createSeededRandom } from '@podwright/time';
import { cpusIn, cpuTopologyOf, elementsOf, type CpuTopology } from '../cpu-topology.js';
import {
  cachesInNodes,
  dualSocket,
  dualSocketOneCache,
  fourCaches,
  fourNodes,
  fourThreads,
  hybrid,
  nodesAboveSockets,
  singleSocket,
  twoCaches,
  uneven,
} from '../fixtures/topologies.js';
import { noStaticPolicyOptions, type StaticPolicyOptions } from '../policy/static-policy-options.js';
import { takeCpus } from './take-cpus.js';

const modes = {
  packed: {},
  uncore: { alignByUncoreCache: true },
  spread: { distributeAcrossCores: true },
  'distributed by CPU': { distributeAcrossNuma: true },
  'distributed by core': { distributeAcrossNuma: true, fullPhysicalCpusOnly: true },
} satisfies Record<string, Partial<StaticPolicyOptions>>;
type Mode = keyof typeof modes;

const machines = {
  singleSocket,
  dualSocket,
  dualSocketOneCache,
  fourNodes,
  fourCaches,
  twoCaches,
  hybrid,
  nodesAboveSockets,
  cachesInNodes,
  fourThreads,
  uneven,
} satisfies Record<string, CpuTopology>;
type Machine = keyof typeof machines;

const take = (mode: Mode, machine: Machine, available: string, count: number): string =>
  formatCpuList(
    takeCpus(machines[machine], { ...noStaticPolicyOptions, ...modes[mode] }, parseCpuList(available), count),
  );

describe('CPUs that are taken', () => {
  // The answers are upstream's: kubernetes v1.36 pkg/kubelet/cm/cpumanager/cpu_assignment.go.
  it.each<[Mode, Machine, string, number, string]>([
    ['packed', 'singleSocket', '1,3,5-7', 1, '6'],
    ['packed', 'singleSocket', '0-3,6', 2, '2,6'],
    ['packed', 'singleSocket', '0-7', 1, '0'],
    ['packed', 'singleSocket', '0-7', 2, '0,4'],
    ['packed', 'singleSocket', '0-7', 8, '0-7'],
    ['packed', 'singleSocket', '0,2,4,6', 0, ''],
    ['packed', 'dualSocket', '0-11', 8, '0-2,4,6-8,10'],
    ['packed', 'dualSocket', '1-5,7-11', 1, '2'],
    ['packed', 'dualSocket', '0-11', 6, '0,2,4,6,8,10'],
    ['packed', 'dualSocket', '0-11', 12, '0-11'],
    ['packed', 'dualSocket', '1-11', 6, '1,3,5,7,9,11'],
    ['packed', 'fourNodes', '1-39,41-79', 60, '10-39,50-79'],
    ['packed', 'fourNodes', '0-79', 64, '0-31,40-71'],
    ['packed', 'hybrid', '0,4', 1, '4'],
    ['packed', 'hybrid', '0-5', 2, '4-5'],
    ['packed', 'hybrid', '0-3', 3, '0-2'],
    ['packed', 'singleSocket', '0-7,99', 8, '0-7'],
    ['spread', 'singleSocket', '0-7', 0, ''],
    ['distributed by CPU', 'singleSocket', '0-7', 0, ''],
    ['distributed by core', 'dualSocket', '0-11', 3, '0,2,6'],
    ['distributed by CPU', 'dualSocket', '0-5,7', 5, '0-3,7'],
    ['uncore', 'fourCaches', '1-15', 10, '1-2,4-11'],
    ['uncore', 'dualSocketOneCache', '1-5,7-11', 1, '1'],
    ['uncore', 'twoCaches', '2-7,10-15', 6, '4-6,12-14'],
    ['uncore', 'twoCaches', '1-7,9-15', 10, '1,4-7,9,12-15'],
    ['spread', 'singleSocket', '0-7', 3, '0-2'],
    ['spread', 'dualSocket', '0-11', 8, '0-4,6,8,10'],
    ['distributed by CPU', 'dualSocket', '0-11', 8, '0-3,6-9'],
    ['distributed by CPU', 'fourNodes', '2-29,31-39,42-69,71-79', 48, '10-17,20-27,31-38,50-57,60-67,71-78'],
    ['distributed by CPU', 'fourNodes', '0-79', 26, '0-6,10-16,40-45,50-55'],
    ['distributed by core', 'fourNodes', '0-79', 26, '0-6,10-15,40-46,50-55'],
    ['distributed by CPU', 'fourNodes', '0-79', 62, '0-7,10-17,20-27,30-37,40-47,50-57,60-66,70-76'],
    ['distributed by core', 'fourNodes', '0-79', 62, '0-7,10-17,20-27,30-36,40-47,50-57,60-67,70-76'],
    [
      'distributed by CPU',
      'fourNodes',
      '0-8,10-18,20-39,40-48,50-58,60-79',
      62,
      '0-7,10-17,20-27,30-37,40-46,50-56,60-67,70-77',
    ],
    [
      'distributed by core',
      'fourNodes',
      '0-8,10-18,20-39,40-48,50-58,60-79',
      62,
      '0-7,10-16,20-27,30-37,40-47,50-56,60-67,70-77',
    ],
    [
      'distributed by CPU',
      'fourNodes',
      '0-3,10-13,20-23,30-36,40-43,50-53,60-63,70-76',
      34,
      '0-3,10-13,20-23,30-34,40-43,50-53,60-63,70-74',
    ],
    ['distributed by CPU', 'nodesAboveSockets', '0-8,10,12-13', 7, '0-1,3-5,8,12'],
    ['uncore', 'uneven', '4,6-8,10-11,13,16-18,20-22', 3, '10,21-22'],
    ['distributed by CPU', 'dualSocket', '1,4,7,10', 2, '4,10'],
    ['distributed by core', 'uneven', '0-23', 10, '2-4,8-9,14-16,20-21'],
    ['uncore', 'hybrid', '0-5', 1, '4'],
    ['packed', 'uneven', '0-1,4,8-13,16,20-23', 11, '0-1,4,8-10,12-13,16,20-21'],
    ['spread', 'nodesAboveSockets', '2,9', 1, '9'],
    ['distributed by core', 'dualSocket', '2,9', 2, '2,9'],
    ['uncore', 'nodesAboveSockets', '0-14', 2, '4,12'],
    ['uncore', 'dualSocketOneCache', '0-11', 3, '0-1,6'],
    ['distributed by core', 'cachesInNodes', '0-31', 14, '0-6,16-22'],
    ['uncore', 'fourThreads', '0,3-5,7-30', 6, '7,14-15,22-23,30'],
    ['uncore', 'uneven', '1-3,5-10,13-17,19-23', 8, '1-3,8,13-15,20'],
  ])('%s on %s: of %s %i are %s', (mode, machine, available, count, expected) => {
    expect(take(mode, machine, available, count)).toBe(expected);
  });

  it.each<[Mode, Machine, string, number, string]>([
    ['packed', 'singleSocket', '0,2,4,6', 5, 'requested=5, available=4'],
    ['spread', 'singleSocket', '0,2,4,6', 5, 'requested=5, available=4'],
    ['distributed by CPU', 'dualSocket', '1-3', 4, 'requested=4, available=3'],
    ['packed', 'singleSocket', '0,2,99', 3, 'requested=3, available=3'],
    ['distributed by CPU', 'singleSocket', '0,2,99', 3, 'requested=3, available=3'],
  ])('%s on %s: of %s not %i', (mode, machine, available, count, expected) => {
    expect(() => take(mode, machine, available, count)).toThrow(
      `not enough cpus available to satisfy request: ${expected}`,
    );
  });

  it.each(Object.keys(modes) as Mode[])('%s: always as many as asked for, out of what is available', (mode) => {
    const random = createSeededRandom(`take ${mode}`);
    for (const machine of Object.keys(machines) as Machine[])
      for (let round = 0; round < 10; round += 1) {
        const available = machines[machine].cpus.filter(() => random.next() < 0.7);
        const count = Math.floor(random.next() * (available.length + 1));
        const taken = parseCpuList(take(mode, machine, formatCpuList(available), count));
        expect(taken).toHaveLength(count);
        expect(isCpuSubset(taken, available)).toBe(true);
      }
  });
});

describe('the topology', () => {
  const core = (socketId: number, threads: number[], cache?: number): MachineCore => ({
    ...{
      coreId: 0,
      socketId,
      threads,
      uncoreCaches: cache === undefined ? [] : [{ id: cache, sizeBytes: 1, type: 'Unified', level: 3 }],
    },
  });
  const node = (id: number, ...cores: MachineCore[]) => ({ id, memoryBytes: 1, hugePages: [], cores });
  const machine = (cpuCount: number, socketCount: number, ...nodes: ReturnType<typeof node>[]) =>
    cpuTopologyOf({ cpuCount, socketCount, nodes });

  it('says where each CPU lies', () => {
    const topology = machine(
      7,
      2,
      node(3, core(0, [5, 1], 8), core(0, [2, 6], 9)),
      node(1, core(1, [3, 7]), core(1, [4])),
      node(2),
    );
    const place = (cpu: number): unknown => topology.places.get(cpu);
    expect([place(5), place(6), place(4), place(0)]).toEqual([
      { cpu: 5, core: 1, socket: 0, numaNode: 3, uncoreCache: 8 },
      { cpu: 6, core: 2, socket: 0, numaNode: 3, uncoreCache: 9 },
      { cpu: 4, core: 4, socket: 1, numaNode: 1, uncoreCache: 1 },
      undefined,
    ]);
    expect(topology).toMatchObject({
      ...{ cpus: [1, 2, 3, 4, 5, 6, 7], numaNodes: [1, 3], socketCount: 2, numaNodeCount: 2 },
      ...{ cpusPerCore: 1, cpusPerSocket: 3, cpusPerUncoreCache: 2 },
    });
    expect(cpusIn(topology, 'uncoreCache', [9, 1])).toEqual([2, 3, 4, 6, 7]);
    expect(elementsOf(topology, 'core', [7, 0, 5, 3])).toEqual([1, 3]);
  });

  it.each([
    [0, node(0), 'could not detect number of cpus'],
    [1, node(0, core(0, [])), 'no cpus provided'],
    [2, node(0, core(0, [1, 1])), 'cpus provided are not unique'],
  ])('of %i CPUs is not there: %#', (count, one, message) => {
    expect(() => machine(count, 1, one)).toThrow(expect.objectContaining({ code: 'failed-precondition', message }));
  });

  it('has no averages over nothing', () => {
    expect(machine(1, 0)).toMatchObject({ cpus: [], cpusPerCore: 0, cpusPerSocket: 0, cpusPerUncoreCache: 0 });
  });
});
