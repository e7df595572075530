import type {
  CertificateSigningRequest,
  ConfigMap,
  CoreEvent,
  CsiDriver,
  CsiNode,
  Lease,
  Node,
  ObjectMeta,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodCertificateRequest,
  ResourceClaim,
  ResourceSlice,
  RuntimeClass,
  Secret,
  Service,
  ServiceAccount,
  SubjectAccessReview,
  TokenReview,
  VolumeAttachment,
} from '@podwright/kube-types';

/** The fields that every object of the API has. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
}

/** One resource of the API server and, for the compiler, the shape of its objects. */
export interface ResourceType<T extends KubeObject = KubeObject> {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** Name in URL paths, such as `pods`. */
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** The server answers the create and stores nothing (reviews), so objects need no name. Default false. */
  readonly transient?: boolean;
  /** Never set; carries the type for the compiler. */
  readonly objectType?: T;
}

const core = <T extends KubeObject>(plural: string, kind: string, namespaced: boolean): ResourceType<T> => ({
  group: '',
  version: 'v1',
  plural,
  kind,
  namespaced,
});
const grouped = <T extends KubeObject>(
  group: string,
  plural: string,
  kind: string,
  namespaced: boolean,
  version = 'v1',
): ResourceType<T> => ({ group, version, plural, kind, namespaced });

/** The resources that a kubelet uses; docs/api-calls.md lists its calls for each. */
export const pods = core<Pod>('pods', 'Pod', true);
export const nodes = core<Node>('nodes', 'Node', false);
export const secrets = core<Secret>('secrets', 'Secret', true);
export const configMaps = core<ConfigMap>('configmaps', 'ConfigMap', true);
export const serviceAccounts = core<ServiceAccount>('serviceaccounts', 'ServiceAccount', true);
export const services = core<Service>('services', 'Service', true);
export const coreEvents = core<CoreEvent>('events', 'Event', true);
export const leases = grouped<Lease>('coordination.k8s.io', 'leases', 'Lease', true);
export const runtimeClasses = grouped<RuntimeClass>('node.k8s.io', 'runtimeclasses', 'RuntimeClass', false);
export const tokenReviews: ResourceType<TokenReview> = {
  ...grouped<TokenReview>('authentication.k8s.io', 'tokenreviews', 'TokenReview', false),
  transient: true,
};
export const subjectAccessReviews: ResourceType<SubjectAccessReview> = {
  ...grouped<SubjectAccessReview>('authorization.k8s.io', 'subjectaccessreviews', 'SubjectAccessReview', false),
  transient: true,
};
export const certificateSigningRequests = grouped<CertificateSigningRequest>(
  'certificates.k8s.io',
  'certificatesigningrequests',
  'CertificateSigningRequest',
  false,
);
export const podCertificateRequests = grouped<PodCertificateRequest>(
  'certificates.k8s.io',
  'podcertificaterequests',
  'PodCertificateRequest',
  true,
  'v1beta1',
);
export const persistentVolumes = core<PersistentVolume>('persistentvolumes', 'PersistentVolume', false);
export const persistentVolumeClaims = core<PersistentVolumeClaim>(
  'persistentvolumeclaims',
  'PersistentVolumeClaim',
  true,
);
export const csiDrivers = grouped<CsiDriver>('storage.k8s.io', 'csidrivers', 'CSIDriver', false);
export const csiNodes = grouped<CsiNode>('storage.k8s.io', 'csinodes', 'CSINode', false);
export const volumeAttachments = grouped<VolumeAttachment>(
  'storage.k8s.io',
  'volumeattachments',
  'VolumeAttachment',
  false,
);
export const resourceClaims = grouped<ResourceClaim>('resource.k8s.io', 'resourceclaims', 'ResourceClaim', true);
export const resourceSlices = grouped<ResourceSlice>('resource.k8s.io', 'resourceslices', 'ResourceSlice', false);
