import { goChecksum, goString, type CheckpointFormat, type GoField, type GoType } from '@podwright/checkpoint';
import { parseCpuList } from '@podwright/kubelet-configuration';

/** Name of the file in the kubelet's root directory. */
export const cpuStateFile = 'cpu_manager_state';

export type ContainerEntries = Readonly<Record<string, string>>;
export type PodEntries = Readonly<Record<string, { readonly cpuSet: string }>>;

/** Content of the file, with CPU sets as lists. */
export interface CpuCheckpoint {
  readonly policyName: string;
  readonly defaultCpuSet: string;
  readonly entries: Readonly<Record<string, ContainerEntries>>;
  readonly podEntries?: PodEntries;
}

/** The first version, whose entries are keyed by container id. */
export interface CpuCheckpointV1 extends Omit<CpuCheckpoint, 'entries'> {
  readonly entries: ContainerEntries;
}

const texts: GoType = { kind: 'map', name: 'map[string]string', value: goString };

const textsOfTexts: GoType = { kind: 'map', name: 'map[string]map[string]string', value: texts };

const cpuSet: GoType = {
  kind: 'marshaled',
  type: {
    kind: 'struct',
    name: 'cpuset.CPUSet',
    fields: [
      {
        name: 'elems',
        key: 'elems',
        type: {
          kind: 'map',
          name: 'map[int]struct {}',
          numericKeys: true,
          value: { kind: 'struct', name: 'struct {}', fields: [] },
        },
      },
    ],
  },
  fromJson: (list) => ({ elems: Object.fromEntries(parseCpuList(String(list)).map((cpu) => [cpu, {}])) }),
};

const podEntries: GoField = {
  name: 'PodEntries',
  key: 'podEntries',
  omitEmpty: true,
  type: {
    kind: 'map',
    name: 'state.PodCPUAssignments',
    value: { kind: 'struct', name: 'state.PodEntry', fields: [{ name: 'CPUSet', key: 'cpuSet', type: cpuSet }] },
  },
};

function format(entries: GoType, more: readonly GoField[]): CheckpointFormat {
  return {
    type: {
      kind: 'struct',
      name: 'state.CPUManagerCheckpoint',
      fields: [
        { name: 'PolicyName', key: 'policyName', type: goString },
        { name: 'DefaultCPUSet', key: 'defaultCpuSet', type: goString },
        { name: 'Entries', key: 'entries', omitEmpty: true, type: entries },
        ...more,
        { name: 'Checksum', key: 'checksum', type: goChecksum },
      ],
    },
  };
}

/** The formats of the file, by version. Source: kubernetes v1.36 pkg/kubelet/cm/cpumanager/state/checkpoint.go. */
export const cpuCheckpointFormats: Readonly<Record<'v1' | 'v2' | 'v3', CheckpointFormat>> = {
  v1: { ...format(texts, []), acceptZero: true },
  v2: { ...format(textsOfTexts, []), acceptZero: true, otherNames: ['state.CPUManagerCheckpointV2'] },
  /** Used with gate PodLevelResourceManagers. */
  v3: format(textsOfTexts, [podEntries]),
};
