import 'reflect-metadata'; // tsyringe refuses to load without it
export { createKubeClient } from './create-kube-client.js';
export type { KubeClientDeps } from './create-kube-client.js';
export { TransportKubeClient } from './transport-kube-client.js';
export { KUBE_CLIENT_CONFIG, kubeClientConfigSchema } from './kube-client-config.js';
export type { KubeClientConfig } from './kube-client-config.js';
export { kubeClientModule } from './kube-client.module.js';
export { createKubeTransport, KubeconfigTransport } from './transport/kubeconfig-transport.js';
export type { KubeTransportDeps } from './transport/kubeconfig-transport.js';
export { KUBE_TRANSPORT_CONFIG, kubeTransportConfigSchema } from './transport/kube-transport-config.js';
export type { KubeTransportConfig } from './transport/kube-transport-config.js';
export { kubeTransportModule } from './transport/kube-transport.module.js';
export { KubeconfigClients } from './transport/kubeconfig-clients.js';
export { KUBECONFIG_CLIENTS_CONFIG, kubeconfigClientsConfigSchema } from './transport/kubeconfig-clients-config.js';
export type { KubeconfigClientsConfig } from './transport/kubeconfig-clients-config.js';
export { kubeconfigClientsModule } from './transport/kubeconfig-clients.module.js';
