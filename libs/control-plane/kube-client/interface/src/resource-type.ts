import type {
  CertificateSigningRequest,
  ConfigMap,
  CoreEvent,
  Lease,
  Node,
  ObjectMeta,
  Pod,
  RuntimeClass,
  Secret,
  Service,
  SubjectAccessReview,
  TokenReview,
} from '@podwright/kube-types';

/** What every object of the API has. */
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
  /** As it stands in paths, `pods` for instance. */
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Created to be answered, never stored: objects need no name. Default false. */
  readonly transient?: boolean;
  /** Never set; carries the type. */
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

/** The resources that a kubelet touches; see docs/api-calls.md for what it does with each. */
export const pods = core<Pod>('pods', 'Pod', true);
export const nodes = core<Node>('nodes', 'Node', false);
export const secrets = core<Secret>('secrets', 'Secret', true);
export const configMaps = core<ConfigMap>('configmaps', 'ConfigMap', true);
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
