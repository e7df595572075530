import {
  goChecksum,
  goInt,
  goString,
  goUint64,
  type CheckpointFormat,
  type GoField,
  type GoStruct,
  type GoType,
} from '@podwright/checkpoint';

/** Name of the file in the kubelet's root directory. */
export const memoryStateFile = 'memory_manager_state';

export interface CheckpointBlock {
  readonly numaAffinity: readonly number[];
  readonly type: string;
  readonly size: number;
}

export interface CheckpointNode {
  readonly numberOfAssignments: number;
  readonly memoryMap: Readonly<
    Record<
      string,
      {
        readonly total: number;
        readonly systemReserved: number;
        readonly allocatable: number;
        readonly reserved: number;
        readonly free: number;
      }
    >
  >;
  readonly cells: readonly number[];
}

/** Content of the file. */
export interface MemoryCheckpoint {
  readonly policyName: string;
  readonly machineState: Readonly<Record<string, CheckpointNode>>;
  readonly entries: Readonly<Record<string, Readonly<Record<string, readonly CheckpointBlock[]>>>>;
  readonly podEntries?: Readonly<Record<string, { readonly memoryBlocks?: readonly CheckpointBlock[] }>>;
}

const ints: GoType = { kind: 'slice', name: '[]int', element: goInt };
const resourceName: GoType = { kind: 'string', name: 'v1.ResourceName' };

const bytes = (name: string, key: string): GoField => ({ name, key, type: goUint64 });

const memoryTable: GoStruct = {
  kind: 'struct',
  name: 'state.MemoryTable',
  fields: [
    bytes('TotalMemSize', 'total'),
    bytes('SystemReserved', 'systemReserved'),
    bytes('Allocatable', 'allocatable'),
    bytes('Reserved', 'reserved'),
    bytes('Free', 'free'),
  ],
};

const numaNode: GoStruct = {
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

const blocks: GoType = {
  kind: 'slice',
  name: '[]state.Block',
  element: {
    kind: 'struct',
    name: 'state.Block',
    fields: [
      { name: 'NUMAAffinity', key: 'numaAffinity', type: ints },
      { name: 'Type', key: 'type', type: resourceName },
      { name: 'Size', key: 'size', type: goUint64 },
    ],
  },
};

const podEntries: GoField = {
  name: 'PodEntries',
  key: 'podEntries',
  omitEmpty: true,
  type: {
    kind: 'map',
    name: 'state.PodMemoryAssignments',
    value: {
      kind: 'struct',
      name: 'state.PodEntry',
      fields: [{ name: 'MemoryBlocks', key: 'memoryBlocks', type: blocks, omitEmpty: true }],
    },
  },
};

function format(more: readonly GoField[]): CheckpointFormat {
  return {
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
          omitEmpty: true,
          type: {
            kind: 'map',
            name: 'state.ContainerMemoryAssignments',
            value: { kind: 'map', name: 'map[string][]state.Block', value: blocks },
          },
        },
        ...more,
        { name: 'Checksum', key: 'checksum', type: goChecksum },
      ],
    },
  };
}

/** The formats of the file, by version. Source: kubernetes v1.36 pkg/kubelet/cm/memorymanager/state/checkpoint.go. */
export const memoryCheckpointFormats: Readonly<Record<'v1' | 'v2', CheckpointFormat>> = {
  v1: { ...format([]), acceptZero: true, otherNames: ['state.MemoryManagerCheckpointV1'] },
  /** Used with gate PodLevelResourceManagers. */
  v2: format([podEntries]),
};
