import { booleanField, createToken, defineConfig, stringField, stringMapField } from '@podwright/assembly-interface';

export interface AligningTopologyManagerConfig {
  /** `none`, `best-effort`, `restricted` or `single-numa-node`. */
  readonly policy: string;
  /** `container` or `pod`; of no effect with policy none. */
  readonly scope: string;
  readonly policyOptions: Readonly<Record<string, string>>;
  /** Gate PodLevelResourceManagers, and PodLevelResources with it. */
  readonly podLevelResourceManagers: boolean;
}

export const ALIGNING_TOPOLOGY_MANAGER_CONFIG = createToken<AligningTopologyManagerConfig>(
  'kubelet.topology-manager.config/v1',
);

export const aligningTopologyManagerConfigSchema = defineConfig<AligningTopologyManagerConfig>(
  ALIGNING_TOPOLOGY_MANAGER_CONFIG,
  {
    policy: stringField('none'),
    scope: stringField('container'),
    policyOptions: stringMapField({}),
    podLevelResourceManagers: booleanField(false),
  },
);
