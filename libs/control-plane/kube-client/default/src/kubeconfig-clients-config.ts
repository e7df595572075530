import { defineConfig, stringField } from '@podwright/assembly-interface';

export interface KubeconfigClientsConfig {
  /** As in the kubelet's own client. */
  readonly userAgent: string;
}

export const kubeconfigClientsConfigSchema = defineConfig<KubeconfigClientsConfig>({
  userAgent: stringField('kubelet/v1.36.0 (linux/amd64) kubernetes/unknown'),
});
