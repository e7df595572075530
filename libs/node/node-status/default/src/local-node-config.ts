import { defaultBootIdFile, defaultMachineIdFile } from '@podwright/machine';
import {
  booleanField,
  defineConfig,
  durationMsField,
  integerField,
  listField,
  stringField,
  stringMapField,
  type ConfigField,
  type FieldFault,
} from '@podwright/assembly-interface';
import { tryParseQuantity } from '@podwright/kube-types';
import type { CapacityOptions } from './node-capacity.js';
import type { ReservationOptions } from './node-allocatable.js';

export interface NodeTaint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

export interface LocalNodeConfig extends CapacityOptions, ReservationOptions {
  readonly nodeName: string;
  readonly nodeIps: readonly string[];
  readonly rootDir: string;
  /** Root directory below which the machine's `/proc`, `/sys` and `/etc` are read. */
  readonly hostRoot: string;
  /** Files with the machine's ID, by comma, below `hostRoot`; the first readable one counts. */
  readonly machineIdFile: string;
  /** The same for the ID of this boot. */
  readonly bootIdFile: string;
  /** Added to the default labels; replace those with the same key. */
  readonly nodeLabels: Readonly<Record<string, string>>;
  readonly registerWithTaints: readonly NodeTaint[];
  readonly externalCloudProvider: boolean;
  readonly enableControllerAttachDetach: boolean;
  readonly providerId: string;
  readonly kubeletVersion: string;
  /** Enabled gates among those that decide about declared features. */
  readonly featureGates: readonly string[];
  /** Addresses of pods, for the runtime of a node without an API server; empty: none. */
  readonly podCidr: string;
  /** Time between two reads of the machine. */
  readonly refreshPeriodMs: number;
}

const problem = 'must be a list of taints with key and effect';
const taintsField: ConfigField<readonly NodeTaint[]> = {
  decode: (value, field) => {
    if (value === undefined) return { ok: true, value: [] };
    const isTaint = (item: unknown): item is NodeTaint =>
      typeof item === 'object' &&
      item !== null &&
      typeof (item as NodeTaint).key === 'string' &&
      typeof (item as NodeTaint).effect === 'string' &&
      ['string', 'undefined'].includes(typeof (item as NodeTaint).value);
    return Array.isArray(value) && value.every(isTaint)
      ? { ok: true, value }
      : { ok: false, faults: [{ field, value, problem }] };
  },
};

/** One decoder per option of the node, shared by the schemas of all users. */
export const localNodeFields: { readonly [K in keyof LocalNodeConfig]-?: ConfigField<LocalNodeConfig[K]> } = {
  nodeName: stringField(),
  podCidr: stringField(''),
  nodeIps: listField([]),
  rootDir: stringField('/var/lib/kubelet'),
  hostRoot: stringField('/'),
  machineIdFile: stringField(defaultMachineIdFile),
  bootIdFile: stringField(defaultBootIdFile),
  nodeLabels: stringMapField({}),
  registerWithTaints: taintsField,
  externalCloudProvider: booleanField(false),
  enableControllerAttachDetach: booleanField(true),
  providerId: stringField(''),
  kubeletVersion: stringField(''),
  featureGates: listField([]),
  maxPods: integerField(110, { min: 0 }),
  podsPerCore: integerField(0, { min: 0 }),
  localStorageCapacityIsolation: booleanField(true),
  systemReserved: stringMapField({}),
  kubeReserved: stringMapField({}),
  reservedSystemCpus: stringField(''),
  evictionHard: stringMapField({}),
  ignoreHardEviction: booleanField(false),
  // cAdvisor reads the machine every five minutes.
  refreshPeriodMs: durationMsField(300_000, { min: 1_000 }),
};

/** Errors in combinations of options. */
export function localNodeFaults({
  systemReserved,
  kubeReserved,
  evictionHard,
}: LocalNodeConfig): readonly FieldFault[] {
  return Object.entries({ systemReserved, kubeReserved, evictionHard }).flatMap(([field, list]) =>
    Object.entries(list)
      .filter(([, text]) => tryParseQuantity(text.replace(/%$/, '')) === undefined)
      .map(([name, text]) => ({ field: `${field}.${name}`, value: text, problem: 'must be a quantity' })),
  );
}

export const localNodeConfigSchema = defineConfig<LocalNodeConfig>(localNodeFields, localNodeFaults);
