export { KUBE_CLIENT, KUBE_CLIENT_FACTORY } from './kube-client.js';
export type {
  CallOptions,
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
export { KUBE_TRANSPORT } from './kube-transport.js';
export type { KubeHttpRequest, KubeHttpResponse, KubeTransport } from './kube-transport.js';
export type { Informer, InformerChange, InformerOptions } from './informer.js';
export { KubeApiError } from './kube-api-error.js';
export type { KubeApiErrorOptions } from './kube-api-error.js';
export {
  certificateSigningRequests,
  configMaps,
  coreEvents,
  leases,
  nodes,
  pods,
  runtimeClasses,
  secrets,
  services,
  subjectAccessReviews,
  tokenReviews,
} from './resource-type.js';
export type { KubeObject, ResourceType } from './resource-type.js';
export { createStrategicMergePatch } from './strategic-merge-patch/create-strategic-merge-patch.js';
export { patchSchemaOf } from './strategic-merge-patch/patch-schemas.js';
export { patchDirectives } from './strategic-merge-patch/patch-schema.js';
export type { PatchField, PatchSchema } from './strategic-merge-patch/patch-schema.js';
