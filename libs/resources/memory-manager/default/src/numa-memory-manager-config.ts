import {
  booleanField,
  defineConfig,
  stringField,
  stringMapField,
  type ConfigField,
} from '@podwright/assembly-interface';
import type { NodeReservation } from './policy/reserved-memory.js';

export interface NumaMemoryManagerConfig {
  /** Directory that holds `memory_manager_state`. */
  readonly rootDir: string;
  /** `None` or `Static`. */
  readonly policy: string;
  /** Memory and huge pages reserved on each NUMA node, which pods cannot use. */
  readonly reservedMemory: readonly NodeReservation[];
  /** Reservation of the whole node, as quantities: kubeReserved, systemReserved and the hard eviction threshold. */
  readonly nodeReserved: Readonly<Record<string, string>>;
  /** Gates PodLevelResources and PodLevelResourceManagers together. */
  readonly podLevelResourceManagers: boolean;
}

const reservationsField: ConfigField<readonly NodeReservation[]> = {
  decode: (value, field) => {
    if (value === undefined) return { ok: true, value: [] };
    if (Array.isArray(value) && value.every(isReservation)) return { ok: true, value };
    return { ok: false, faults: [{ field, value, problem: 'must be a list of { numaNode, limits }' }] };
  },
};

export const numaMemoryManagerConfigSchema = defineConfig<NumaMemoryManagerConfig>({
  rootDir: stringField('/var/lib/kubelet'),
  policy: stringField('None'),
  reservedMemory: reservationsField,
  nodeReserved: stringMapField({}),
  podLevelResourceManagers: booleanField(false),
});

function isReservation(value: unknown): value is NodeReservation {
  if (typeof value !== 'object' || value === null) return false;
  const { numaNode, limits } = value as { readonly numaNode?: unknown; readonly limits?: unknown };
  const isMap = typeof limits === 'object' && limits !== null;
  return Number.isSafeInteger(numaNode) && isMap && Object.values(limits).every((limit) => typeof limit === 'string');
}
