import {
  booleanField,
  defineConfig,
  durationMsField,
  integerField,
  stringField,
  stringMapField,
} from '@podwright/assembly-interface';

export interface PinningCpuManagerConfig {
  /** Directory that holds `cpu_manager_state`. */
  readonly rootDir: string;
  /** `none` or `static`. */
  readonly policy: string;
  readonly policyOptions: Readonly<Record<string, string>>;
  /** Gate CPUManagerPolicyAlphaOptions. */
  readonly alphaOptions: boolean;
  /** Gate CPUManagerPolicyBetaOptions. */
  readonly betaOptions: boolean;
  /** Time between two reconciliations, in milliseconds. */
  readonly reconcilePeriodMs: number;
  /** CPU list. When empty, `reservedMilliCpu` decides how many CPUs are reserved. */
  readonly reservedSystemCpus: string;
  /** Sum of kubeReserved and systemReserved in thousandths of a CPU; -1 when neither sets CPUs. */
  readonly reservedMilliCpu: number;
  /** Policy of the topology manager; option align-by-socket cannot be combined with `single-numa-node`. */
  readonly topologyPolicy: string;
  /** Gates PodLevelResources and PodLevelResourceManagers together. */
  readonly podLevelResourceManagers: boolean;
  /** Gate DisableCPUQuotaWithExclusiveCPUs. */
  readonly disableQuota: boolean;
}

export const pinningCpuManagerConfigSchema = defineConfig<PinningCpuManagerConfig>({
  rootDir: stringField('/var/lib/kubelet'),
  policy: stringField('none'),
  policyOptions: stringMapField({}),
  alphaOptions: booleanField(false),
  betaOptions: booleanField(true),
  reconcilePeriodMs: durationMsField(10_000, { min: 1 }),
  reservedSystemCpus: stringField(''),
  reservedMilliCpu: integerField(-1, { min: -1 }),
  topologyPolicy: stringField('none'),
  podLevelResourceManagers: booleanField(false),
  disableQuota: booleanField(true),
});
