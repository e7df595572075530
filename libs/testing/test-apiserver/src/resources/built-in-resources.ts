import type { ApiResource } from './api-resource.js';

interface Row {
  readonly short?: string;
  readonly sub?: string;
  readonly all?: boolean;
  readonly virtual?: boolean;
  readonly singular?: string;
}

const words = (text = ''): readonly string[] => text.split(' ').filter((word) => word !== '');

const resource =
  (group: string, version: string) =>
  (plural: string, kind: string, namespaced: boolean, row: Row = {}): ApiResource => ({
    group,
    version,
    plural,
    kind,
    singular: row.singular ?? kind.toLowerCase(),
    namespaced,
    shortNames: words(row.short),
    categories: row.all === true ? ['all'] : [],
    subresources: words(row.sub),
    virtual: row.virtual === true,
  });

const core = resource('', 'v1');
const apps = resource('apps', 'v1');
const authentication = resource('authentication.k8s.io', 'v1');
const authorization = resource('authorization.k8s.io', 'v1');
const certificates = resource('certificates.k8s.io', 'v1');
const storage = resource('storage.k8s.io', 'v1');
const rbac = resource('rbac.authorization.k8s.io', 'v1');
const dra = resource('resource.k8s.io', 'v1');

const podSubresources = 'status binding eviction resize ephemeralcontainers log exec attach portforward';

/** The served resources, with names, kinds and short names as in `kubectl api-resources` of kubernetes v1.36. */
export const builtInResources: readonly ApiResource[] = [
  core('bindings', 'Binding', true, { virtual: true }),
  core('configmaps', 'ConfigMap', true, { short: 'cm' }),
  core('endpoints', 'Endpoints', true, { short: 'ep', singular: 'endpoints' }),
  core('events', 'Event', true, { short: 'ev' }),
  core('limitranges', 'LimitRange', true, { short: 'limits' }),
  core('namespaces', 'Namespace', false, { short: 'ns', sub: 'status finalize' }),
  core('nodes', 'Node', false, { short: 'no', sub: 'status proxy' }),
  core('persistentvolumeclaims', 'PersistentVolumeClaim', true, { short: 'pvc', sub: 'status' }),
  core('persistentvolumes', 'PersistentVolume', false, { short: 'pv', sub: 'status' }),
  core('pods', 'Pod', true, { short: 'po', sub: podSubresources, all: true }),
  core('podtemplates', 'PodTemplate', true),
  core('replicationcontrollers', 'ReplicationController', true, { short: 'rc', sub: 'status', all: true }),
  core('resourcequotas', 'ResourceQuota', true, { short: 'quota', sub: 'status' }),
  core('secrets', 'Secret', true),
  core('serviceaccounts', 'ServiceAccount', true, { short: 'sa', sub: 'token' }),
  core('services', 'Service', true, { short: 'svc', sub: 'status', all: true }),
  apps('controllerrevisions', 'ControllerRevision', true),
  apps('daemonsets', 'DaemonSet', true, { short: 'ds', sub: 'status', all: true }),
  apps('deployments', 'Deployment', true, { short: 'deploy', sub: 'status', all: true }),
  apps('replicasets', 'ReplicaSet', true, { short: 'rs', sub: 'status', all: true }),
  apps('statefulsets', 'StatefulSet', true, { short: 'sts', sub: 'status', all: true }),
  resource('batch', 'v1')('cronjobs', 'CronJob', true, { short: 'cj', sub: 'status', all: true }),
  resource('batch', 'v1')('jobs', 'Job', true, { sub: 'status', all: true }),
  authentication('selfsubjectreviews', 'SelfSubjectReview', false, { virtual: true }),
  authentication('tokenreviews', 'TokenReview', false, { virtual: true }),
  authorization('localsubjectaccessreviews', 'LocalSubjectAccessReview', true, { virtual: true }),
  authorization('selfsubjectaccessreviews', 'SelfSubjectAccessReview', false, { virtual: true }),
  authorization('selfsubjectrulesreviews', 'SelfSubjectRulesReview', false, { virtual: true }),
  authorization('subjectaccessreviews', 'SubjectAccessReview', false, { virtual: true }),
  certificates('certificatesigningrequests', 'CertificateSigningRequest', false, {
    short: 'csr',
    sub: 'approval status',
  }),
  resource('certificates.k8s.io', 'v1beta1')('clustertrustbundles', 'ClusterTrustBundle', false),
  resource('certificates.k8s.io', 'v1beta1')('podcertificaterequests', 'PodCertificateRequest', true, {
    sub: 'status',
  }),
  resource('coordination.k8s.io', 'v1')('leases', 'Lease', true),
  resource('discovery.k8s.io', 'v1')('endpointslices', 'EndpointSlice', true),
  resource('networking.k8s.io', 'v1')('networkpolicies', 'NetworkPolicy', true, { short: 'netpol' }),
  resource('node.k8s.io', 'v1')('runtimeclasses', 'RuntimeClass', false),
  resource('policy', 'v1')('poddisruptionbudgets', 'PodDisruptionBudget', true, { short: 'pdb', sub: 'status' }),
  rbac('clusterrolebindings', 'ClusterRoleBinding', false),
  rbac('clusterroles', 'ClusterRole', false),
  rbac('rolebindings', 'RoleBinding', true),
  rbac('roles', 'Role', true),
  dra('deviceclasses', 'DeviceClass', false),
  dra('resourceclaims', 'ResourceClaim', true, { sub: 'status' }),
  dra('resourceclaimtemplates', 'ResourceClaimTemplate', true),
  dra('resourceslices', 'ResourceSlice', false),
  resource('scheduling.k8s.io', 'v1')('priorityclasses', 'PriorityClass', false, { short: 'pc' }),
  storage('csidrivers', 'CSIDriver', false),
  storage('csinodes', 'CSINode', false),
  storage('csistoragecapacities', 'CSIStorageCapacity', true),
  storage('storageclasses', 'StorageClass', false, { short: 'sc' }),
  storage('volumeattachments', 'VolumeAttachment', false, { sub: 'status' }),
];
