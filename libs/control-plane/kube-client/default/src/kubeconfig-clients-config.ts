import { booleanField, defineConfig, stringField } from '@podwright/assembly-interface';

export interface KubeconfigClientsConfig {
  /** As in the kubelet's own client. */
  readonly userAgent: string;
  /** As in the kubelet's own client. */
  readonly contentType: string;
  /** As in the kubelet's own client. */
  readonly allowCbor: boolean;
  /** As in the kubelet's own client. */
  readonly preferCbor: boolean;
}

export const kubeconfigClientsConfigSchema = defineConfig<KubeconfigClientsConfig>({
  userAgent: stringField('kubelet/v1.36.0 (linux/amd64) kubernetes/unknown'),
  contentType: stringField('application/json'),
  allowCbor: booleanField(false),
  preferCbor: booleanField(false),
});
