export { kubeClientNeeds, TransportKubeClient } from './transport-kube-client.js';
export { kubeClientConfigSchema } from './kube-client-config.js';
export type { KubeClientConfig } from './kube-client-config.js';
export { createKubeClient, kubeClientModule } from './kube-client.module.js';
export { KubeconfigClients, kubeconfigClientsNeeds } from './kubeconfig-clients.js';
export { kubeconfigClientsConfigSchema } from './kubeconfig-clients-config.js';
export type { KubeconfigClientsConfig } from './kubeconfig-clients-config.js';
export { kubeconfigClientsModule } from './kubeconfig-clients.module.js';
