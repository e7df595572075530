import 'reflect-metadata'; // tsyringe refuses to load without it
export { createDefaultKubeClient, DefaultKubeClient } from './default-kube-client.js';
export type { DefaultKubeClientDeps } from './default-kube-client.js';
export { DEFAULT_KUBE_CLIENT_CONFIG, defaultKubeClientConfigSchema } from './default-kube-client-config.js';
export type { DefaultKubeClientConfig } from './default-kube-client-config.js';
export { defaultKubeClientModule } from './default-kube-client.module.js';
