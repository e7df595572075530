export { kubeTransportConfigSchema } from './kube-transport-config.js';
export type { KubeTransportConfig } from './kube-transport-config.js';
export { createKubeTransport, kubeTransportModule } from './kube-transport.module.js';
export { createKubeTransports, kubeTransportsModule, kubeTransportsNeeds } from './kube-transports.module.js';
export type { KubeTransportsConfig } from './kube-transports.module.js';
export { KubeconfigTransport, kubeTransportNeeds } from './kubeconfig-transport.js';
