/** What a feature gate does that no option and no rule of the configuration asks for. */
export type GateAnswer =
  /** The kubelet always behaves as with the gate on, or always as with it off; `where` is the file that does it. */
  | { readonly kind: 'always on' | 'always off'; readonly what: string; readonly where: string }
  /** Not the kubelet's: who reads it. */
  | { readonly kind: "not the kubelet's"; readonly what: string }
  /** Nothing is behind the gate in v1.36, upstream neither. */
  | { readonly kind: 'nothing behind it'; readonly what: string };

const on = (where: string, what: string): GateAnswer => ({ kind: 'always on', what, where });
const off = (where: string, what: string): GateAnswer => ({ kind: 'always off', what, where });
const foreign = (what: string): GateAnswer => ({ kind: "not the kubelet's", what });
const nothing = (what: string): GateAnswer => ({ kind: 'nothing behind it', what });

const apiServer = 'API server';
const scheduling = 'API server and scheduler';
const validation = 'libs/foundation/pod-manifest/src/validate';
const informers = 'libs/control-plane/kube-client/default/src/informer';

/**
 * Every gate that `gate-options.ts` and the rules of the configuration do not ask for. A spec fails for a gate of the
 * table without an answer, and for one with two. Source: kubernetes v1.36 pkg/features/kube_features.go and the users
 * of each gate.
 */
export const gateAnswers: Readonly<Record<string, GateAnswer>> = {
  AllowInsecureKubeletCertificateSigningRequests: foreign(`${apiServer} (admission of certificate requests)`),
  AllowOverwriteTerminationGracePeriodSeconds: nothing('no component reads it'),
  AtomicFIFO: on(
    `${informers}/object-store.ts`,
    'a full list replaces the whole store at once; off, Go does it object by object, which nobody sees',
  ),
  AuthorizeNodeWithSelectors: foreign(`${apiServer} (authorization of nodes)`),
  CPUManagerPolicyOptions: on(
    'libs/resources/cpu-manager/default/src/policy/static-policy-options.ts',
    'the options of the CPU manager are read',
  ),
  CSIServiceAccountTokenSecrets: on(
    'libs/storage/volume-csi/default/src/mount/driver-rules.ts',
    'a CSI driver gets its tokens as secrets if its CSIDriver object asks for that',
  ),
  ClientsAllowTLSCacheGC: foreign("Go's API client, whose cache of connections this kubelet does not have"),
  ClusterTrustBundle: foreign(`${apiServer} and controller manager`),
  DRAAdminAccess: foreign(scheduling),
  DRAConsumableCapacity: foreign(scheduling),
  DRADeviceBindingConditions: foreign(scheduling),
  DRADeviceTaints: foreign(`${scheduling}, controller manager`),
  DRAListTypeAttributes: foreign(scheduling),
  DRANodeAllocatableResources: foreign(scheduling),
  DRAPartitionableDevices: foreign(scheduling),
  DRAPrioritizedList: foreign(scheduling),
  DRAResourceClaimDeviceStatus: foreign(scheduling),
  DisableNodeKubeProxyVersion: on(
    'libs/node/node-status/default/src/status/machine-info.ts',
    'the Node has no version of kube-proxy',
  ),
  DynamicResourceAllocation: on('libs/resources/dra/default/src/claim-dra-manager.ts', 'claims of pods are prepared'),
  ExecProbeTimeout: on('libs/pod/probe/default/src/probers/exec-prober.ts', 'the timeout of a probe ends its command'),
  GenericWorkload: foreign(`${scheduling}, controller manager`),
  GitRepoVolumeDriver: off('libs/storage/volume-local/default/src/git-repo.ts', 'a pod with a gitRepo volume fails'),
  ImageVolume: on(
    'libs/runtime/container-runtime/default/src/sync/image-volumes.ts',
    'images are pulled for image volumes, and stay while a volume uses them',
  ),
  InOrderInformers: on(`${informers}/reflector.ts`, 'changes are delivered in the order of the watch'),
  InOrderInformersBatchProcess: foreign("Go's informers, whose queue this kubelet does not have"),
  InformerResourceVersion: foreign("Go's informers; upstream's kubelet does not ask a store for its version either"),
  KubeletCgroupDriverFromCRI: on(
    'libs/node/cgroup/default/src/driver/cri-cgroup-driver.ts',
    'the runtime decides about the cgroup driver',
  ),
  KubeletFineGrainedAuthz: on(
    'libs/control-plane/server/default/src/access/access-filter.ts',
    'a caller needs the narrow subresource of an endpoint, or `nodes/proxy`',
  ),
  KubeletPodResourcesDynamicResources: on(
    'libs/resources/dra/default/src/claims/container-devices.ts',
    'the pod resources socket shows claims',
  ),
  KubeletPodResourcesGet: on(
    'libs/resources/pod-resources/default/src/grpc-pod-resources-server.ts',
    'the pod resources socket answers about one pod',
  ),
  KubeletTracing: on('libs/control-plane/tracing/default/src/otlp-tracer.ts', 'field `tracing` exports spans'),
  MutableCSINodeAllocatableCount: on(
    'libs/storage/volume-csi/default/src/csi-node/allocatable-updates.ts',
    'the number of volumes in the CSINode object follows the driver',
  ),
  PodLifecycleSleepAction: on('libs/pod/lifecycle-hooks/default/src/runtime-lifecycle-hooks.ts', 'hooks may sleep'),
  PodLifecycleSleepActionAllowZero: on(`${validation}/probes.ts`, 'a hook may sleep for 0 seconds'),
  PodObservedGenerationTracking: on(
    'libs/pod/pod-sync/default/src/api-status/generate-api-status.ts',
    'status and conditions carry the generation that they are about',
  ),
  PortForwardWebsockets: foreign(apiServer),
  ProcMountType: on(
    'libs/runtime/container-runtime/default/src/container/security-context.ts',
    '`procMount: Unmasked` is honoured',
  ),
  RecoverVolumeExpansionFailure: on(
    'libs/storage/volume/default/src/expansion/claim-resize-status.ts',
    'a claim shows how its growing on the node goes, and that it cannot',
  ),
  RecursiveReadOnlyMounts: on(
    'libs/runtime/container-environment/default/src/mounts/recursive-read-only.ts',
    '`recursiveReadOnly` of a mount is honoured',
  ),
  RelaxedDNSSearchValidation: on(`${validation}/dns.ts`, 'search domains may be `.` and contain underscores'),
  RelaxedEnvironmentVariableValidation: on(
    `${validation}/env.ts`,
    'names of variables may contain all printable ASCII characters but `=`',
  ),
  SELinuxChangePolicy: on(
    'libs/storage/volume/default/src/selinux/selinux-volumes.ts',
    '`seLinuxChangePolicy: Recursive` keeps the label from the mount',
  ),
  SELinuxMountReadWriteOncePod: on(
    'libs/storage/volume/default/src/selinux/selinux-volumes.ts',
    'a volume for one pod is mounted with the label of the pod',
  ),
  ServiceAccountNodeAudienceRestriction: foreign(`${apiServer} (admission of token requests)`),
  SidecarContainers: on(
    'libs/runtime/container-runtime/default/src/actions/init-container-actions.ts',
    'init containers with `restartPolicy: Always` run beside the regular ones',
  ),
  SystemdWatchdog: on(
    'libs/foundation/systemd/src/systemd-watchdog.ts',
    'systemd hears twice per `WatchdogSec` that the kubelet is well',
  ),
  TopologyManagerPolicyAlphaOptions: nothing('no option of the topology manager is alpha'),
  TopologyManagerPolicyBetaOptions: nothing('no option of the topology manager is beta'),
  TopologyManagerPolicyOptions: on(
    'libs/resources/topology-manager/default/src/topology-policy.ts',
    'the options of the topology manager are read',
  ),
  TranslateStreamCloseWebsocketRequests: foreign(apiServer),
  UnlockWhileProcessingFIFO: foreign("Go's informers, whose queue and lock this kubelet does not have"),
  UserNamespacesSupport: on(
    'libs/runtime/user-namespace/default/src/file-user-namespaces.ts',
    'a pod with `hostUsers: false` gets a range of user ids',
  ),
};
