import 'reflect-metadata'; // tsyringe refuses to load without it
export { createKubeClient } from './create-kube-client.js';
export type { KubeClientDeps } from './create-kube-client.js';
export { TransportKubeClient } from './transport-kube-client.js';
export { KUBE_CLIENT_CONFIG, kubeClientConfigSchema } from './kube-client-config.js';
export type { KubeClientConfig } from './kube-client-config.js';
export { kubeClientModule } from './kube-client.module.js';
