import { createToken, defineConfig, stringField } from '@podwright/assembly-interface';

export interface KubeconfigClientsConfig {
  /** As of the kubelet's own client. */
  readonly userAgent: string;
}

export const KUBECONFIG_CLIENTS_CONFIG = createToken<KubeconfigClientsConfig>('kubelet.kubeconfig-clients.config/v1');

export const kubeconfigClientsConfigSchema = defineConfig<KubeconfigClientsConfig>(KUBECONFIG_CLIENTS_CONFIG, {
  userAgent: stringField('kubelet/v1.36.0 (linux/amd64) kubernetes/unknown'),
});
