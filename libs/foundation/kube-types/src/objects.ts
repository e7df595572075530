import type {
  CoreV1Event,
  ResourceV1ResourceClaim,
  V1Affinity,
  V1CertificateSigningRequest,
  V1ConfigMap,
  V1Container,
  V1ContainerPort,
  V1ContainerState,
  V1ContainerStatus,
  V1CSIDriver,
  V1CSINode,
  V1DeviceClass,
  V1EnvFromSource,
  V1EnvVar,
  V1EphemeralContainer,
  V1LabelSelector,
  V1Lease,
  V1Lifecycle,
  V1LifecycleHandler,
  V1Namespace,
  V1Node,
  V1NodeSelectorTerm,
  V1ObjectMeta,
  V1PersistentVolume,
  V1PersistentVolumeClaim,
  V1PersistentVolumeClaimSpec,
  V1Pod,
  V1PodAffinityTerm,
  V1PodCondition,
  V1PodDNSConfig,
  V1PodSecurityContext,
  V1PodSpec,
  V1PodStatus,
  V1Probe,
  V1ObjectReference,
  V1ResourceClaimTemplate,
  V1ResourceRequirements,
  V1ResourceSlice,
  V1RuntimeClass,
  V1Secret,
  V1SecurityContext,
  V1Service,
  V1ServiceAccount,
  V1Status,
  V1SubjectAccessReview,
  V1Taint,
  V1TokenReview,
  V1Toleration,
  V1TopologySpreadConstraint,
  V1Volume,
  V1VolumeAttachment,
  V1VolumeDevice,
  V1VolumeMount,
  V1VolumeProjection,
} from '@kubernetes/client-node';
import type { Json } from './json.js';

/**
 * A Pod as plain JSON, like all API objects here. Treat objects as immutable once they are passed on. A Pod from
 * pod-config always has `metadata` and `spec`; see `@podwright/pod-config-interface`.
 */
export type Pod = Omit<Json<V1Pod>, 'metadata' | 'spec' | 'status'> & {
  readonly metadata: ObjectMeta;
  readonly spec: PodSpec;
  readonly status?: PodStatus;
};
export type ObjectMeta = Json<V1ObjectMeta>;
/** A pod's spec, with the fields of v1.36 that the client's types lack. */
export type PodSpec = Json<V1PodSpec> & { readonly schedulingGroup?: { readonly podGroupName?: string } };
/** A pod's status, with the fields of v1.36 that the client's types lack. */
export type PodStatus = Json<V1PodStatus> & {
  readonly allocatedResources?: Readonly<Record<string, string>>;
  readonly resources?: Json<V1ResourceRequirements>;
  readonly nodeAllocatableResourceClaimStatuses?: readonly {
    readonly resourceClaimName: string;
    readonly containers?: readonly string[];
    readonly resources?: Readonly<Record<string, string>>;
  }[];
};
export type PodCondition = Json<V1PodCondition>;
export type Container = Json<V1Container>;
export type ContainerPort = Json<V1ContainerPort>;
export type EphemeralContainer = Json<V1EphemeralContainer>;
export type ContainerStatus = Json<V1ContainerStatus>;
export type ContainerState = Json<V1ContainerState>;
export type EnvVar = Json<V1EnvVar>;
export type EnvFromSource = Json<V1EnvFromSource>;
export type Probe = Json<V1Probe>;
export type Lifecycle = Json<V1Lifecycle>;
export type LifecycleHandler = Json<V1LifecycleHandler>;
export type SecurityContext = Json<V1SecurityContext>;
export type PodSecurityContext = Json<V1PodSecurityContext>;
export type PodDnsConfig = Json<V1PodDNSConfig>;
export type ResourceRequirements = Json<V1ResourceRequirements>;
export type Volume = Json<V1Volume>;
export type VolumeMount = Json<V1VolumeMount>;
export type VolumeProjection = Json<V1VolumeProjection>;
/** With the fields that the client's types do not have yet. */
export type PodCertificateProjection = NonNullable<VolumeProjection['podCertificate']> & {
  readonly userAnnotations?: Readonly<Record<string, string>>;
};
export type VolumeDevice = Json<V1VolumeDevice>;
export type PersistentVolume = Json<V1PersistentVolume>;
export type PersistentVolumeClaim = Json<V1PersistentVolumeClaim>;
export type PersistentVolumeClaimSpec = Json<V1PersistentVolumeClaimSpec>;
export type ResourceClaim = Json<ResourceV1ResourceClaim>;
export type ResourceClaimTemplate = Json<V1ResourceClaimTemplate>;
export type ResourceSlice = Json<V1ResourceSlice>;
export type DeviceClass = Json<V1DeviceClass>;
export type Toleration = Json<V1Toleration>;
export type Affinity = Json<V1Affinity>;
export type NodeSelectorTerm = Json<V1NodeSelectorTerm>;
export type PodAffinityTerm = Json<V1PodAffinityTerm>;
export type TopologySpreadConstraint = Json<V1TopologySpreadConstraint>;
export type LabelSelector = Json<V1LabelSelector>;
export type ConfigMap = Json<V1ConfigMap>;
export type Secret = Json<V1Secret>;
export type Node = Json<V1Node>;
export type NodeStatus = NonNullable<Node['status']>;
export type NodeCondition = NonNullable<NodeStatus['conditions']>[number];
export type NodeAddress = NonNullable<NodeStatus['addresses']>[number];
export type Taint = Json<V1Taint>;
export type Namespace = Json<V1Namespace>;
export type Service = Json<V1Service>;
export type ServiceAccount = Json<V1ServiceAccount>;
export type Lease = Json<V1Lease>;
/** With the fields that the client's types do not have yet. */
export type CsiDriver = Omit<Json<V1CSIDriver>, 'spec'> & {
  readonly spec: Json<V1CSIDriver>['spec'] & { readonly serviceAccountTokenInSecrets?: boolean };
};
export type CsiNode = Json<V1CSINode>;
export type VolumeAttachment = Json<V1VolumeAttachment>;
export type RuntimeClass = Json<V1RuntimeClass>;
export type ObjectReference = Json<V1ObjectReference>;
/** An Event of the core group, the kind that a kubelet creates. */
export type CoreEvent = Json<CoreV1Event>;
export type TokenReview = Json<V1TokenReview>;
export type SubjectAccessReview = Json<V1SubjectAccessReview>;
export type CertificateSigningRequest = Json<V1CertificateSigningRequest>;
/** A PodCertificateRequest of certificates.k8s.io/v1beta1, which the client's types do not have. */
export interface PodCertificateRequest {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
  readonly spec: {
    readonly signerName: string;
    readonly podName: string;
    readonly podUID: string;
    readonly serviceAccountName: string;
    readonly serviceAccountUID: string;
    readonly nodeName: string;
    readonly nodeUID: string;
    readonly maxExpirationSeconds?: number;
    /** PKCS#10 in DER, base64. */
    readonly stubPKCS10Request?: string;
    readonly unverifiedUserAnnotations?: Readonly<Record<string, string>>;
  };
  readonly status?: {
    readonly conditions?: readonly PodCertificateRequestCondition[];
    readonly certificateChain?: string;
    readonly notBefore?: string;
    readonly beginRefreshAt?: string;
    readonly notAfter?: string;
  };
}
export interface PodCertificateRequestCondition {
  /** `Issued`, `Denied` or `Failed`. */
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}
/** The Status with which an API server answers instead of an object, such as for an error. */
export type ApiStatus = Json<V1Status>;
