import { describe, expect, it } from '@jest/globals';
import { hasCode, messageOf } from '@podwright/errors';
import { fnv1a32 } from '@podwright/kube-types';
import { checkpointChecksum, decodeCheckpoint, encodeCheckpoint } from './checkpoint-format.js';
import type { CheckpointFormat } from './checkpoint-format.js';
import { goDump } from './go-dump.js';
import { goChecksum, goInt, goString, goUint64 } from './go-type.js';
import type { GoStruct, GoType } from './go-type.js';

const cpu: CheckpointFormat = {
  type: {
    kind: 'struct',
    name: 'state.CPUManagerCheckpoint',
    fields: [
      { name: 'PolicyName', key: 'policyName', type: goString },
      { name: 'DefaultCPUSet', key: 'defaultCpuSet', type: goString },
      {
        name: 'Entries',
        key: 'entries',
        omitEmpty: true,
        type: {
          kind: 'map',
          name: 'map[string]map[string]string',
          value: { kind: 'map', name: 'map[string]string', value: goString },
        },
      },
      { name: 'Checksum', key: 'checksum', type: goChecksum },
    ],
  },
};

const elements: GoType = { kind: 'struct', name: 'struct {}', fields: [] };
const cpuSet: GoType = {
  kind: 'marshaled',
  type: {
    kind: 'struct',
    name: 'cpuset.CPUSet',
    fields: [
      {
        name: 'elems',
        key: 'elems',
        type: { kind: 'map', name: 'map[int]struct {}', numericKeys: true, value: elements },
      },
    ],
  },
  fromJson: (list) => ({
    elems: Object.fromEntries(
      String(list)
        .split(',')
        .map((id) => [id, {}]),
    ),
  }),
};
const cpuV3: CheckpointFormat = {
  type: {
    ...cpu.type,
    fields: cpu.type.fields.toSpliced(3, 0, {
      name: 'PodEntries',
      key: 'podEntries',
      type: {
        kind: 'map',
        name: 'state.PodCPUAssignments',
        value: { kind: 'struct', name: 'x', fields: [{ name: 'CPUSet', key: 'cpuSet', type: cpuSet }] },
      },
    }),
  },
};

const resourceName = { kind: 'string', name: 'v1.ResourceName' } as const;
const uint64Fields = (names: Readonly<Record<string, string>>): GoStruct['fields'] =>
  Object.entries(names).map(([key, name]) => ({ key, name, type: goUint64 }));
const ints: GoType = { kind: 'slice', name: '[]int', element: goInt };
const memoryTable: GoType = {
  kind: 'struct',
  name: 'state.MemoryTable',
  fields: uint64Fields({
    total: 'TotalMemSize',
    systemReserved: 'SystemReserved',
    allocatable: 'Allocatable',
    reserved: 'Reserved',
    free: 'Free',
  }),
};
const numaNode: GoType = {
  kind: 'struct',
  name: 'state.NUMANodeState',
  fields: [
    { name: 'NumberOfAssignments', key: 'numberOfAssignments', type: goInt },
    {
      name: 'MemoryMap',
      key: 'memoryMap',
      type: {
        kind: 'map',
        name: 'map[v1.ResourceName]*state.MemoryTable',
        value: { kind: 'pointer', to: memoryTable },
      },
    },
    { name: 'Cells', key: 'cells', type: ints },
  ],
};
const block: GoType = {
  kind: 'struct',
  name: 'state.Block',
  fields: [
    { name: 'NUMAAffinity', key: 'numaAffinity', type: ints },
    { name: 'Type', key: 'type', type: resourceName },
    { name: 'Size', key: 'size', type: goUint64 },
  ],
};
const memory: CheckpointFormat = {
  type: {
    kind: 'struct',
    name: 'state.MemoryManagerCheckpoint',
    fields: [
      { name: 'PolicyName', key: 'policyName', type: goString },
      {
        name: 'MachineState',
        key: 'machineState',
        type: { kind: 'map', name: 'state.NUMANodeMap', numericKeys: true, value: { kind: 'pointer', to: numaNode } },
      },
      {
        name: 'Entries',
        key: 'entries',
        type: {
          kind: 'map',
          name: 'state.ContainerMemoryAssignments',
          value: {
            kind: 'map',
            name: 'map[string][]state.Block',
            value: { kind: 'slice', name: '[]state.Block', element: block },
          },
        },
      },
      { name: 'Checksum', key: 'checksum', type: goChecksum },
    ],
  },
};

describe('checksum of upstream', () => {
  it.each([
    [{ policyName: 'none', defaultCpuSet: '', entries: {} }, 1353318690],
    [{ policyName: 'none', defaultCpuSet: '4-6', entries: {} }, 354655845],
    [
      { policyName: 'none', defaultCpuSet: '1-3', entries: { pod: { container2: '1-3', container1: '4-6' } } },
      3610638499,
    ],
  ])('of a CPU manager file %j', (value, sum) => {
    expect(checkpointChecksum(value, cpu)).toBe(sum);
  });

  it('of a CPU manager file with CPUs of whole pods', () => {
    const entries = { pod: { container1: '4-6', container2: '1-3' } };
    const value = { policyName: 'none', defaultCpuSet: '1-3', entries, podEntries: { pod: { cpuSet: '4,5,6' } } };
    expect(checkpointChecksum(value, cpuV3)).toBe(2649431787);
    expect(decodeCheckpoint(encodeCheckpoint(value, cpuV3), cpuV3, 'f')).toMatchObject(value);
  });

  it('of a memory manager file', () => {
    const table = { total: 2048, systemReserved: 512, allocatable: 1536, reserved: 512, free: 1024 };
    const value = {
      policyName: 'static',
      machineState: { 0: { numberOfAssignments: 0, memoryMap: { memory: table }, cells: [] } },
      entries: { pod: { container1: [{ numaAffinity: [0], type: 'memory', size: 512 }] } },
    };
    expect(checkpointChecksum(value, memory)).toBe(4215593881);
  });

  it('of an allocation file, over its data string', () => {
    const data = '{"entries":{"pod1":{"ContainerResources":{"container1":{"requests":{"cpu":"1Ki","memory":"1Ki"}}}}}}';
    expect(fnv1a32(goDump(data, goString))).toBe(1178570812);
  });
});

describe('dump', () => {
  it('prints nil, bytes and pointers as go-spew does', () => {
    const pointer: GoType = { kind: 'pointer', to: goString };
    const type: GoStruct = {
      kind: 'struct',
      name: 'p.T',
      fields: [
        { name: 'M', key: 'm', type: { kind: 'map', name: 'map[string]int', value: goInt } },
        { name: 'B', key: 'b', type: { kind: 'slice', name: '[]uint8', element: goInt } },
        { name: 'P', key: 'p', type: pointer },
        { name: 'L', key: 'l', type: { kind: 'slice', name: '[]*string', element: pointer } },
        { name: 'Q', key: 'q', type: pointer },
      ],
    };
    expect(goDump({ b: Uint8Array.of(1, 255), p: 'x', l: ['y', null] }, type)).toBe(
      '(p.T){M:(map[string]int)<nil> B:([]uint8)[1 255] P:(*string)x L:([]*string)[<*>y <*><nil>] Q:(*string)<nil>}',
    );
  });
});

describe('format', () => {
  it('reads back what it wrote, keys in any case', () => {
    const value = { policyName: 'none', defaultCpuSet: '4-6', entries: {} };
    const text = encodeCheckpoint(value, cpu);
    expect(text).toBe('{"policyName":"none","defaultCpuSet":"4-6","checksum":354655845}');
    expect(decodeCheckpoint(text, cpu, 'f')).toEqual({ ...value, checksum: 354655845 });
    expect(decodeCheckpoint(text.replace('defaultCpuSet', 'defaultCPUSet'), cpu, 'f')).toMatchObject(value);
  });

  it.each([
    ['{"policyName":"none","defaultCpuSet":"4-7","checksum":354655845}', 'expected'],
    ['{"policyName":"none","defaultCpuSet":"4-6"}', 'checksum is 0'],
    ['{"policyName":7,"checksum":1}', 'no string'],
    ['{"policyName":', 'JSON'],
    ['null', 'no object'],
  ])('refuses %s', (text, problem) => {
    const error = caught(() => decodeCheckpoint(text, cpu, '/var/x'));
    expect(hasCode(error, 'data-loss')).toBe(true);
    expect(messageOf(error)).toMatch(/^checkpoint is corrupted: \/var\/x: /);
    expect(messageOf(error)).toContain(problem);
  });

  it.each([
    '{}',
    '{"policyName":null,"defaultCpuSet":null,"entries":null,"checksum":0}',
    '{"entries":{},"checksum":null}',
  ])('reads zero values for what is missing or null in %s', (text) => {
    const read = decodeCheckpoint(text, { ...cpu, acceptZero: true }, 'f');
    expect(read).toEqual({ policyName: '', defaultCpuSet: '', entries: {}, checksum: 0 });
  });

  it('accepts checksum 0 and other type names where told to', () => {
    const text = '{"policyName":"none","defaultCpuSet":"4-6"}';
    expect(decodeCheckpoint(text, { ...cpu, acceptZero: true }, 'f')).toMatchObject({ defaultCpuSet: '4-6' });
    const name = 'state.CPUManagerCheckpointV2';
    const renamed = encodeCheckpoint({ policyName: 'x', entries: {} }, { type: { ...cpu.type, name } });
    expect(decodeCheckpoint(renamed, { ...cpu, otherNames: [name] }, 'f')).toMatchObject({ policyName: 'x' });
  });
});

function caught(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
