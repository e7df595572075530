export { parseKubeconfig, readKubeconfig } from './read-kubeconfig.js';
export { checkKubeconfig } from './check-kubeconfig.js';
export type { KubeconfigCheck } from './check-kubeconfig.js';
export { formatKubeconfig, writeKubeconfig } from './write-kubeconfig.js';
export type { WrittenKubeconfig } from './write-kubeconfig.js';
export { parseServer } from './server-address.js';
export type { ServerAddress } from './server-address.js';
export { parseProxyUrl } from './proxy-url.js';
export type { ProxyUrl } from './proxy-url.js';
export type {
  FileOrData,
  Kubeconfig,
  KubeconfigCluster,
  KubeconfigExec,
  KubeconfigImpersonation,
  KubeconfigUser,
} from './kubeconfig.js';
