import { booleanField, defineConfig, stringField, stringMapField } from '@podwright/assembly-interface';

export interface AligningTopologyManagerConfig {
  /** `none`, `best-effort`, `restricted` or `single-numa-node`. */
  readonly policy: string;
  /** `container` or `pod`; has no effect with policy none. */
  readonly scope: string;
  readonly policyOptions: Readonly<Record<string, string>>;
  /** Gates PodLevelResourceManagers and PodLevelResources together. */
  readonly podLevelResourceManagers: boolean;
}

export const aligningTopologyManagerConfigSchema = defineConfig<AligningTopologyManagerConfig>({
  policy: stringField('none'),
  scope: stringField('container'),
  policyOptions: stringMapField({}),
  podLevelResourceManagers: booleanField(false),
});
