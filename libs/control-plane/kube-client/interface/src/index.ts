export { API_SERVER_WATCH } from './api-server-watch.js';
export type { ApiServerWatch } from './api-server-watch.js';
export { KUBE_CLIENT, KUBE_CLIENT_FACTORY } from './kube-client.js';
export type {
  CallOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  JsonPatchOperation,
  KubeClient,
  KubeClientFactory,
  ListOptions,
  ObjectList,
  ObjectName,
  Patch,
  RequestBudget,
  WriteOptions,
} from './kube-client.js';
export { KUBE_TRANSPORT, KUBE_TRANSPORT_FACTORY } from './kube-transport.js';
export type { KubeHttpRequest, KubeHttpResponse, KubeTransport, KubeTransportFactory } from './kube-transport.js';
export { credentialsFault, isCredentialsFault } from './credentials-fault.js';
export type { Informer, InformerChange, InformerOptions } from './informer.js';
export { KubeApiError } from './kube-api-error.js';
export type { KubeApiErrorOptions } from './kube-api-error.js';
export {
  certificateSigningRequests,
  configMaps,
  coreEvents,
  csiDrivers,
  csiNodes,
  resourceClaims,
  resourceSlices,
  leases,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  podCertificateRequests,
  pods,
  runtimeClasses,
  secrets,
  serviceAccounts,
  services,
  subjectAccessReviews,
  tokenReviews,
  volumeAttachments,
} from './resource-type.js';
export type { KubeObject, ResourceType } from './resource-type.js';
