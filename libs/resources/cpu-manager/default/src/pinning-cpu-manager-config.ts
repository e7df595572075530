import {
  booleanField,
  createToken,
  defineConfig,
  durationMsField,
  integerField,
  stringField,
  stringMapField,
} from '@podwright/assembly-interface';

export interface PinningCpuManagerConfig {
  /** `cpu_manager_state` lies in it. */
  readonly rootDir: string;
  /** `none` or `static`. */
  readonly policy: string;
  readonly policyOptions: Readonly<Record<string, string>>;
  /** Gate CPUManagerPolicyAlphaOptions. */
  readonly alphaOptions: boolean;
  /** Gate CPUManagerPolicyBetaOptions. */
  readonly betaOptions: boolean;
  /** Pause between two looks at what runs, in milliseconds. */
  readonly reconcilePeriodMs: number;
  /** CPU list; empty: as many as `reservedMilliCpu` says. */
  readonly reservedSystemCpus: string;
  /** kubeReserved and systemReserved together, in thousandths of a CPU; -1: neither names CPUs. */
  readonly reservedMilliCpu: number;
  /** Policy of the topology manager; one of them does not go with option align-by-socket. */
  readonly topologyPolicy: string;
  /** Gates PodLevelResources and PodLevelResourceManagers together. */
  readonly podLevelResourceManagers: boolean;
  /** Gate DisableCPUQuotaWithExclusiveCPUs. */
  readonly disableQuota: boolean;
}

export const PINNING_CPU_MANAGER_CONFIG = createToken<PinningCpuManagerConfig>('kubelet.cpu-manager.config/v1');

export const pinningCpuManagerConfigSchema = defineConfig<PinningCpuManagerConfig>(PINNING_CPU_MANAGER_CONFIG, {
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
