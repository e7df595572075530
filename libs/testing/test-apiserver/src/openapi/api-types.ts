/** Made by tools/codegen/api-types.ts from what a cluster of v1.36 answers at /openapi/v2; see api-type.ts for the notation. */
export const apiTypes: Readonly<Record<string, string>> = {
  'apps.v1.ControllerRevision': 'apiVersion:string data:any kind:string metadata:meta.v1.ObjectMeta revision*:int64',
  'apps.v1.DaemonSet':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec:apps.v1.DaemonSetSpec status:apps.v1.DaemonSetStatus',
  'apps.v1.DaemonSetCondition': 'lastTransitionTime:date-time message:string reason:string status*:string type*:string',
  'apps.v1.DaemonSetSpec':
    'minReadySeconds:int32 revisionHistoryLimit:int32 selector*:meta.v1.LabelSelector template*:core.v1.PodTemplateSpec updateStrategy:apps.v1.DaemonSetUpdateStrategy',
  'apps.v1.DaemonSetStatus':
    'collisionCount:int32 conditions:[]apps.v1.DaemonSetCondition@type#type currentNumberScheduled*:int32 desiredNumberScheduled*:int32 numberAvailable:int32 numberMisscheduled*:int32 numberReady*:int32 numberUnavailable:int32 observedGeneration:int64 updatedNumberScheduled:int32',
  'apps.v1.DaemonSetUpdateStrategy': 'rollingUpdate:apps.v1.RollingUpdateDaemonSet type:string',
  'apps.v1.Deployment':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec:apps.v1.DeploymentSpec status:apps.v1.DeploymentStatus',
  'apps.v1.DeploymentCondition':
    'lastTransitionTime:date-time lastUpdateTime:date-time message:string reason:string status*:string type*:string',
  'apps.v1.DeploymentSpec':
    'minReadySeconds:int32 paused:boolean progressDeadlineSeconds:int32 replicas:int32 revisionHistoryLimit:int32 selector*:meta.v1.LabelSelector strategy:apps.v1.DeploymentStrategy template*:core.v1.PodTemplateSpec',
  'apps.v1.DeploymentStatus':
    'availableReplicas:int32 collisionCount:int32 conditions:[]apps.v1.DeploymentCondition@type#type observedGeneration:int64 readyReplicas:int32 replicas:int32 terminatingReplicas:int32 unavailableReplicas:int32 updatedReplicas:int32',
  'apps.v1.DeploymentStrategy': 'rollingUpdate:apps.v1.RollingUpdateDeployment type:string',
  'apps.v1.ReplicaSet':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec:apps.v1.ReplicaSetSpec status:apps.v1.ReplicaSetStatus',
  'apps.v1.ReplicaSetCondition':
    'lastTransitionTime:date-time message:string reason:string status*:string type*:string',
  'apps.v1.ReplicaSetSpec':
    'minReadySeconds:int32 replicas:int32 selector*:meta.v1.LabelSelector template:core.v1.PodTemplateSpec',
  'apps.v1.ReplicaSetStatus':
    'availableReplicas:int32 conditions:[]apps.v1.ReplicaSetCondition@type#type fullyLabeledReplicas:int32 observedGeneration:int64 readyReplicas:int32 replicas*:int32 terminatingReplicas:int32',
  'apps.v1.RollingUpdateDaemonSet': 'maxSurge:int-or-string maxUnavailable:int-or-string',
  'apps.v1.RollingUpdateDeployment': 'maxSurge:int-or-string maxUnavailable:int-or-string',
  'apps.v1.RollingUpdateStatefulSetStrategy': 'maxUnavailable:int-or-string partition:int32',
  'apps.v1.StatefulSet':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec:apps.v1.StatefulSetSpec status:apps.v1.StatefulSetStatus',
  'apps.v1.StatefulSetCondition':
    'lastTransitionTime:date-time message:string reason:string status*:string type*:string',
  'apps.v1.StatefulSetOrdinals': 'start:int32',
  'apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy': 'whenDeleted:string whenScaled:string',
  'apps.v1.StatefulSetSpec':
    'minReadySeconds:int32 ordinals:apps.v1.StatefulSetOrdinals persistentVolumeClaimRetentionPolicy:apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy podManagementPolicy:string replicas:int32 revisionHistoryLimit:int32 selector*:meta.v1.LabelSelector serviceName:string template*:core.v1.PodTemplateSpec updateStrategy:apps.v1.StatefulSetUpdateStrategy volumeClaimTemplates:[]core.v1.PersistentVolumeClaim',
  'apps.v1.StatefulSetStatus':
    'availableReplicas:int32 collisionCount:int32 conditions:[]apps.v1.StatefulSetCondition@type#type currentReplicas:int32 currentRevision:string observedGeneration:int64 readyReplicas:int32 replicas*:int32 updateRevision:string updatedReplicas:int32',
  'apps.v1.StatefulSetUpdateStrategy': 'rollingUpdate:apps.v1.RollingUpdateStatefulSetStrategy type:string',
  'authentication.v1.BoundObjectReference': 'apiVersion:string kind:string name:string uid:string',
  'authentication.v1.SelfSubjectReview':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta status:authentication.v1.SelfSubjectReviewStatus',
  'authentication.v1.SelfSubjectReviewStatus': 'userInfo:authentication.v1.UserInfo',
  'authentication.v1.TokenRequest':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec:authentication.v1.TokenRequestSpec status:authentication.v1.TokenRequestStatus',
  'authentication.v1.TokenRequestSpec':
    'audiences:[]string boundObjectRef:authentication.v1.BoundObjectReference expirationSeconds:int64',
  'authentication.v1.TokenRequestStatus': 'expirationTimestamp:date-time token:string',
  'authentication.v1.TokenReview':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec*:authentication.v1.TokenReviewSpec status:authentication.v1.TokenReviewStatus',
  'authentication.v1.TokenReviewSpec': 'audiences:[]string token*:string',
  'authentication.v1.TokenReviewStatus':
    'audiences:[]string authenticated:boolean error:string user:authentication.v1.UserInfo',
  'authentication.v1.UserInfo': 'extra:{}[]string groups:[]string uid:string username:string',
  'authorization.v1.FieldSelectorAttributes': 'rawSelector:string requirements:[]meta.v1.FieldSelectorRequirement',
  'authorization.v1.LabelSelectorAttributes': 'rawSelector:string requirements:[]meta.v1.LabelSelectorRequirement',
  'authorization.v1.LocalSubjectAccessReview':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec*:authorization.v1.SubjectAccessReviewSpec status:authorization.v1.SubjectAccessReviewStatus',
  'authorization.v1.NonResourceAttributes': 'path:string verb:string',
  'authorization.v1.NonResourceRule': 'nonResourceURLs:[]string verbs*:[]string',
  'authorization.v1.ResourceAttributes':
    'fieldSelector:authorization.v1.FieldSelectorAttributes group:string labelSelector:authorization.v1.LabelSelectorAttributes name:string namespace:string resource:string subresource:string verb:string version:string',
  'authorization.v1.ResourceRule': 'apiGroups:[]string resourceNames:[]string resources:[]string verbs*:[]string',
  'authorization.v1.SelfSubjectAccessReview':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec*:authorization.v1.SelfSubjectAccessReviewSpec status:authorization.v1.SubjectAccessReviewStatus',
  'authorization.v1.SelfSubjectAccessReviewSpec':
    'nonResourceAttributes:authorization.v1.NonResourceAttributes resourceAttributes:authorization.v1.ResourceAttributes',
  'authorization.v1.SelfSubjectRulesReview':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec*:authorization.v1.SelfSubjectRulesReviewSpec status:authorization.v1.SubjectRulesReviewStatus',
  'authorization.v1.SelfSubjectRulesReviewSpec': 'namespace:string',
  'authorization.v1.SubjectAccessReview':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec*:authorization.v1.SubjectAccessReviewSpec status:authorization.v1.SubjectAccessReviewStatus',
  'authorization.v1.SubjectAccessReviewSpec':
    'extra:{}[]string groups:[]string nonResourceAttributes:authorization.v1.NonResourceAttributes resourceAttributes:authorization.v1.ResourceAttributes uid:string user:string',
  'authorization.v1.SubjectAccessReviewStatus': 'allowed*:boolean denied:boolean evaluationError:string reason:string',
  'authorization.v1.SubjectRulesReviewStatus':
    'evaluationError:string incomplete*:boolean nonResourceRules*:[]authorization.v1.NonResourceRule resourceRules*:[]authorization.v1.ResourceRule',
  'autoscaling.v1.Scale':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec:autoscaling.v1.ScaleSpec status:autoscaling.v1.ScaleStatus',
  'autoscaling.v1.ScaleSpec': 'replicas:int32',
  'autoscaling.v1.ScaleStatus': 'replicas*:int32 selector:string',
  'batch.v1.CronJob':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec*:batch.v1.CronJobSpec status:batch.v1.CronJobStatus',
  'batch.v1.CronJobSpec':
    'concurrencyPolicy:string failedJobsHistoryLimit:int32 jobTemplate*:batch.v1.JobTemplateSpec schedule*:string startingDeadlineSeconds:int64 successfulJobsHistoryLimit:int32 suspend:boolean timeZone:string',
  'batch.v1.CronJobStatus': 'active:[]core.v1.ObjectReference lastScheduleTime:date-time lastSuccessfulTime:date-time',
  'batch.v1.Job':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec:batch.v1.JobSpec status:batch.v1.JobStatus',
  'batch.v1.JobCondition':
    'lastProbeTime:date-time lastTransitionTime:date-time message:string reason:string status*:string type*:string',
  'batch.v1.JobSpec':
    'activeDeadlineSeconds:int64 backoffLimit:int32 backoffLimitPerIndex:int32 completionMode:string completions:int32 managedBy:string manualSelector:boolean maxFailedIndexes:int32 parallelism:int32 podFailurePolicy:batch.v1.PodFailurePolicy podReplacementPolicy:string selector:meta.v1.LabelSelector successPolicy:batch.v1.SuccessPolicy suspend:boolean template*:core.v1.PodTemplateSpec ttlSecondsAfterFinished:int32',
  'batch.v1.JobStatus':
    'active:int32 completedIndexes:string completionTime:date-time conditions:[]batch.v1.JobCondition@type failed:int32 failedIndexes:string ready:int32 startTime:date-time succeeded:int32 terminating:int32 uncountedTerminatedPods:batch.v1.UncountedTerminatedPods',
  'batch.v1.JobTemplateSpec': 'metadata:meta.v1.ObjectMeta spec:batch.v1.JobSpec',
  'batch.v1.PodFailurePolicy': 'rules*:[]batch.v1.PodFailurePolicyRule',
  'batch.v1.PodFailurePolicyOnExitCodesRequirement': 'containerName:string operator*:string values*:[]int32#',
  'batch.v1.PodFailurePolicyOnPodConditionsPattern': 'status:string type*:string',
  'batch.v1.PodFailurePolicyRule':
    'action*:string onExitCodes:batch.v1.PodFailurePolicyOnExitCodesRequirement onPodConditions:[]batch.v1.PodFailurePolicyOnPodConditionsPattern',
  'batch.v1.SuccessPolicy': 'rules*:[]batch.v1.SuccessPolicyRule',
  'batch.v1.SuccessPolicyRule': 'succeededCount:int32 succeededIndexes:string',
  'batch.v1.UncountedTerminatedPods': 'failed:[]string# succeeded:[]string#',
  'certificates.v1.CertificateSigningRequest':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec*:certificates.v1.CertificateSigningRequestSpec status:certificates.v1.CertificateSigningRequestStatus',
  'certificates.v1.CertificateSigningRequestCondition':
    'lastTransitionTime:date-time lastUpdateTime:date-time message:string reason:string status*:string type*:string',
  'certificates.v1.CertificateSigningRequestSpec':
    'expirationSeconds:int32 extra:{}[]string groups:[]string request*:byte signerName*:string uid:string usages:[]string username:string',
  'certificates.v1.CertificateSigningRequestStatus':
    'certificate:byte conditions:[]certificates.v1.CertificateSigningRequestCondition#type',
  'certificates.v1beta1.ClusterTrustBundle':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec*:certificates.v1beta1.ClusterTrustBundleSpec',
  'certificates.v1beta1.ClusterTrustBundleSpec': 'signerName:string trustBundle*:string',
  'certificates.v1beta1.PodCertificateRequest':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec*:certificates.v1beta1.PodCertificateRequestSpec status:certificates.v1beta1.PodCertificateRequestStatus',
  'certificates.v1beta1.PodCertificateRequestSpec':
    'maxExpirationSeconds:int32 nodeName*:string nodeUID*:string pkixPublicKey:byte podName*:string podUID*:string proofOfPossession:byte serviceAccountName*:string serviceAccountUID*:string signerName*:string stubPKCS10Request*:byte unverifiedUserAnnotations:{}string',
  'certificates.v1beta1.PodCertificateRequestStatus':
    'beginRefreshAt:date-time certificateChain:string conditions:[]meta.v1.Condition@type#type notAfter:date-time notBefore:date-time',
  'coordination.v1.Lease': 'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec:coordination.v1.LeaseSpec',
  'coordination.v1.LeaseSpec':
    'acquireTime:micro-time holderIdentity:string leaseDurationSeconds:int32 leaseTransitions:int32 preferredHolder:string renewTime:micro-time strategy:string',
  'core.v1.AWSElasticBlockStoreVolumeSource': 'fsType:string partition:int32 readOnly:boolean volumeID*:string',
  'core.v1.Affinity':
    'nodeAffinity:core.v1.NodeAffinity podAffinity:core.v1.PodAffinity podAntiAffinity:core.v1.PodAntiAffinity',
  'core.v1.AppArmorProfile': 'localhostProfile:string type*:string',
  'core.v1.AttachedVolume': 'devicePath*:string name*:string',
  'core.v1.AzureDiskVolumeSource':
    'cachingMode:string diskName*:string diskURI*:string fsType:string kind:string readOnly:boolean',
  'core.v1.AzureFilePersistentVolumeSource':
    'readOnly:boolean secretName*:string secretNamespace:string shareName*:string',
  'core.v1.AzureFileVolumeSource': 'readOnly:boolean secretName*:string shareName*:string',
  'core.v1.Binding': 'apiVersion:string kind:string metadata:meta.v1.ObjectMeta target*:core.v1.ObjectReference',
  'core.v1.CSIPersistentVolumeSource':
    'controllerExpandSecretRef:core.v1.SecretReference controllerPublishSecretRef:core.v1.SecretReference driver*:string fsType:string nodeExpandSecretRef:core.v1.SecretReference nodePublishSecretRef:core.v1.SecretReference nodeStageSecretRef:core.v1.SecretReference readOnly:boolean volumeAttributes:{}string volumeHandle*:string',
  'core.v1.CSIVolumeSource':
    'driver*:string fsType:string nodePublishSecretRef:core.v1.LocalObjectReference readOnly:boolean volumeAttributes:{}string',
  'core.v1.Capabilities': 'add:[]string drop:[]string',
  'core.v1.CephFSPersistentVolumeSource':
    'monitors*:[]string path:string readOnly:boolean secretFile:string secretRef:core.v1.SecretReference user:string',
  'core.v1.CephFSVolumeSource':
    'monitors*:[]string path:string readOnly:boolean secretFile:string secretRef:core.v1.LocalObjectReference user:string',
  'core.v1.CinderPersistentVolumeSource':
    'fsType:string readOnly:boolean secretRef:core.v1.SecretReference volumeID*:string',
  'core.v1.CinderVolumeSource':
    'fsType:string readOnly:boolean secretRef:core.v1.LocalObjectReference volumeID*:string',
  'core.v1.ClientIPConfig': 'timeoutSeconds:int32',
  'core.v1.ClusterTrustBundleProjection':
    'labelSelector:meta.v1.LabelSelector name:string optional:boolean path*:string signerName:string',
  'core.v1.ComponentCondition': 'error:string message:string status*:string type*:string',
  'core.v1.ComponentStatus':
    'apiVersion:string conditions:[]core.v1.ComponentCondition@type#type kind:string metadata:meta.v1.ObjectMeta',
  'core.v1.ConfigMap':
    'apiVersion:string binaryData:{}byte data:{}string immutable:boolean kind:string metadata:meta.v1.ObjectMeta',
  'core.v1.ConfigMapEnvSource': 'name:string optional:boolean',
  'core.v1.ConfigMapKeySelector': '! key*:string name:string optional:boolean',
  'core.v1.ConfigMapNodeConfigSource':
    'kubeletConfigKey*:string name*:string namespace*:string resourceVersion:string uid:string',
  'core.v1.ConfigMapProjection': 'items:[]core.v1.KeyToPath name:string optional:boolean',
  'core.v1.ConfigMapVolumeSource': 'defaultMode:int32 items:[]core.v1.KeyToPath name:string optional:boolean',
  'core.v1.Container':
    'args:[]string command:[]string env:[]core.v1.EnvVar@name#name envFrom:[]core.v1.EnvFromSource image:string imagePullPolicy:string lifecycle:core.v1.Lifecycle livenessProbe:core.v1.Probe name*:string ports:[]core.v1.ContainerPort@containerPort#containerPort,protocol readinessProbe:core.v1.Probe resizePolicy:[]core.v1.ContainerResizePolicy resources:core.v1.ResourceRequirements restartPolicy:string restartPolicyRules:[]core.v1.ContainerRestartRule securityContext:core.v1.SecurityContext startupProbe:core.v1.Probe stdin:boolean stdinOnce:boolean terminationMessagePath:string terminationMessagePolicy:string tty:boolean volumeDevices:[]core.v1.VolumeDevice@devicePath#devicePath volumeMounts:[]core.v1.VolumeMount@mountPath#mountPath workingDir:string',
  'core.v1.ContainerExtendedResourceRequest': 'containerName*:string requestName*:string resourceName*:string',
  'core.v1.ContainerImage': 'names:[]string sizeBytes:int64',
  'core.v1.ContainerPort': 'containerPort*:int32 hostIP:string hostPort:int32 name:string protocol:string',
  'core.v1.ContainerResizePolicy': 'resourceName*:string restartPolicy*:string',
  'core.v1.ContainerRestartRule': 'action*:string exitCodes:core.v1.ContainerRestartRuleOnExitCodes',
  'core.v1.ContainerRestartRuleOnExitCodes': 'operator*:string values:[]int32#',
  'core.v1.ContainerState':
    'running:core.v1.ContainerStateRunning terminated:core.v1.ContainerStateTerminated waiting:core.v1.ContainerStateWaiting',
  'core.v1.ContainerStateRunning': 'startedAt:date-time',
  'core.v1.ContainerStateTerminated':
    'containerID:string exitCode*:int32 finishedAt:date-time message:string reason:string signal:int32 startedAt:date-time',
  'core.v1.ContainerStateWaiting': 'message:string reason:string',
  'core.v1.ContainerStatus':
    'allocatedResources:{}quantity allocatedResourcesStatus:[]core.v1.ResourceStatus@name#name containerID:string image*:string imageID*:string lastState:core.v1.ContainerState name*:string ready*:boolean resources:core.v1.ResourceRequirements restartCount*:int32 started:boolean state:core.v1.ContainerState stopSignal:string user:core.v1.ContainerUser volumeMounts:[]core.v1.VolumeMountStatus@mountPath#mountPath',
  'core.v1.ContainerUser': 'linux:core.v1.LinuxContainerUser',
  'core.v1.DaemonEndpoint': 'Port*:int32',
  'core.v1.DownwardAPIProjection': 'items:[]core.v1.DownwardAPIVolumeFile',
  'core.v1.DownwardAPIVolumeFile':
    'fieldRef:core.v1.ObjectFieldSelector mode:int32 path*:string resourceFieldRef:core.v1.ResourceFieldSelector',
  'core.v1.DownwardAPIVolumeSource': 'defaultMode:int32 items:[]core.v1.DownwardAPIVolumeFile',
  'core.v1.EmptyDirVolumeSource': 'medium:string sizeLimit:quantity',
  'core.v1.EndpointAddress': '! hostname:string ip*:string nodeName:string targetRef:core.v1.ObjectReference',
  'core.v1.EndpointPort': '! appProtocol:string name:string port*:int32 protocol:string',
  'core.v1.EndpointSubset':
    'addresses:[]core.v1.EndpointAddress notReadyAddresses:[]core.v1.EndpointAddress ports:[]core.v1.EndpointPort',
  'core.v1.Endpoints': 'apiVersion:string kind:string metadata:meta.v1.ObjectMeta subsets:[]core.v1.EndpointSubset',
  'core.v1.EnvFromSource': 'configMapRef:core.v1.ConfigMapEnvSource prefix:string secretRef:core.v1.SecretEnvSource',
  'core.v1.EnvVar': 'name*:string value:string valueFrom:core.v1.EnvVarSource',
  'core.v1.EnvVarSource':
    'configMapKeyRef:core.v1.ConfigMapKeySelector fieldRef:core.v1.ObjectFieldSelector fileKeyRef:core.v1.FileKeySelector resourceFieldRef:core.v1.ResourceFieldSelector secretKeyRef:core.v1.SecretKeySelector',
  'core.v1.EphemeralContainer':
    'args:[]string command:[]string env:[]core.v1.EnvVar@name#name envFrom:[]core.v1.EnvFromSource image:string imagePullPolicy:string lifecycle:core.v1.Lifecycle livenessProbe:core.v1.Probe name*:string ports:[]core.v1.ContainerPort@containerPort#containerPort,protocol readinessProbe:core.v1.Probe resizePolicy:[]core.v1.ContainerResizePolicy resources:core.v1.ResourceRequirements restartPolicy:string restartPolicyRules:[]core.v1.ContainerRestartRule securityContext:core.v1.SecurityContext startupProbe:core.v1.Probe stdin:boolean stdinOnce:boolean targetContainerName:string terminationMessagePath:string terminationMessagePolicy:string tty:boolean volumeDevices:[]core.v1.VolumeDevice@devicePath#devicePath volumeMounts:[]core.v1.VolumeMount@mountPath#mountPath workingDir:string',
  'core.v1.EphemeralVolumeSource': 'volumeClaimTemplate:core.v1.PersistentVolumeClaimTemplate',
  'core.v1.Event':
    'action:string apiVersion:string count:int32 eventTime:micro-time firstTimestamp:date-time involvedObject*:core.v1.ObjectReference kind:string lastTimestamp:date-time message:string metadata*:meta.v1.ObjectMeta reason:string related:core.v1.ObjectReference reportingComponent:string reportingInstance:string series:core.v1.EventSeries source:core.v1.EventSource type:string',
  'core.v1.EventSeries': 'count:int32 lastObservedTime:micro-time',
  'core.v1.EventSource': 'component:string host:string',
  'core.v1.ExecAction': 'command:[]string',
  'core.v1.FCVolumeSource': 'fsType:string lun:int32 readOnly:boolean targetWWNs:[]string wwids:[]string',
  'core.v1.FileKeySelector': '! key*:string optional:boolean path*:string volumeName*:string',
  'core.v1.FlexPersistentVolumeSource':
    'driver*:string fsType:string options:{}string readOnly:boolean secretRef:core.v1.SecretReference',
  'core.v1.FlexVolumeSource':
    'driver*:string fsType:string options:{}string readOnly:boolean secretRef:core.v1.LocalObjectReference',
  'core.v1.FlockerVolumeSource': 'datasetName:string datasetUUID:string',
  'core.v1.GCEPersistentDiskVolumeSource': 'fsType:string partition:int32 pdName*:string readOnly:boolean',
  'core.v1.GRPCAction': 'port*:int32 service:string',
  'core.v1.GitRepoVolumeSource': 'directory:string repository*:string revision:string',
  'core.v1.GlusterfsPersistentVolumeSource':
    'endpoints*:string endpointsNamespace:string path*:string readOnly:boolean',
  'core.v1.GlusterfsVolumeSource': 'endpoints*:string path*:string readOnly:boolean',
  'core.v1.HTTPGetAction': 'host:string httpHeaders:[]core.v1.HTTPHeader path:string port*:int-or-string scheme:string',
  'core.v1.HTTPHeader': 'name*:string value*:string',
  'core.v1.HostAlias': 'hostnames:[]string ip*:string',
  'core.v1.HostIP': 'ip*:string',
  'core.v1.HostPathVolumeSource': 'path*:string type:string',
  'core.v1.ISCSIPersistentVolumeSource':
    'chapAuthDiscovery:boolean chapAuthSession:boolean fsType:string initiatorName:string iqn*:string iscsiInterface:string lun*:int32 portals:[]string readOnly:boolean secretRef:core.v1.SecretReference targetPortal*:string',
  'core.v1.ISCSIVolumeSource':
    'chapAuthDiscovery:boolean chapAuthSession:boolean fsType:string initiatorName:string iqn*:string iscsiInterface:string lun*:int32 portals:[]string readOnly:boolean secretRef:core.v1.LocalObjectReference targetPortal*:string',
  'core.v1.ImageVolumeSource': 'pullPolicy:string reference:string',
  'core.v1.ImageVolumeStatus': 'imageRef*:string',
  'core.v1.KeyToPath': 'key*:string mode:int32 path*:string',
  'core.v1.Lifecycle': 'postStart:core.v1.LifecycleHandler preStop:core.v1.LifecycleHandler stopSignal:string',
  'core.v1.LifecycleHandler':
    'exec:core.v1.ExecAction httpGet:core.v1.HTTPGetAction sleep:core.v1.SleepAction tcpSocket:core.v1.TCPSocketAction',
  'core.v1.LimitRange': 'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec:core.v1.LimitRangeSpec',
  'core.v1.LimitRangeItem':
    'default:{}quantity defaultRequest:{}quantity max:{}quantity maxLimitRequestRatio:{}quantity min:{}quantity type*:string',
  'core.v1.LimitRangeSpec': 'limits*:[]core.v1.LimitRangeItem',
  'core.v1.LinuxContainerUser': 'gid*:int64 supplementalGroups:[]int64 uid*:int64',
  'core.v1.LoadBalancerIngress': 'hostname:string ip:string ipMode:string ports:[]core.v1.PortStatus',
  'core.v1.LoadBalancerStatus': 'ingress:[]core.v1.LoadBalancerIngress',
  'core.v1.LocalObjectReference': '! name:string',
  'core.v1.LocalVolumeSource': 'fsType:string path*:string',
  'core.v1.ModifyVolumeStatus': 'status*:string targetVolumeAttributesClassName:string',
  'core.v1.NFSVolumeSource': 'path*:string readOnly:boolean server*:string',
  'core.v1.Namespace':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec:core.v1.NamespaceSpec status:core.v1.NamespaceStatus',
  'core.v1.NamespaceCondition': 'lastTransitionTime:date-time message:string reason:string status*:string type*:string',
  'core.v1.NamespaceSpec': 'finalizers:[]string',
  'core.v1.NamespaceStatus': 'conditions:[]core.v1.NamespaceCondition@type#type phase:string',
  'core.v1.Node':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec:core.v1.NodeSpec status:core.v1.NodeStatus',
  'core.v1.NodeAddress': 'address*:string type*:string',
  'core.v1.NodeAffinity':
    'preferredDuringSchedulingIgnoredDuringExecution:[]core.v1.PreferredSchedulingTerm requiredDuringSchedulingIgnoredDuringExecution:core.v1.NodeSelector',
  'core.v1.NodeAllocatableResourceClaimStatus': 'containers:[]string# resourceClaimName*:string resources*:{}quantity',
  'core.v1.NodeCondition':
    'lastHeartbeatTime:date-time lastTransitionTime:date-time message:string reason:string status*:string type*:string',
  'core.v1.NodeConfigSource': 'configMap:core.v1.ConfigMapNodeConfigSource',
  'core.v1.NodeConfigStatus':
    'active:core.v1.NodeConfigSource assigned:core.v1.NodeConfigSource error:string lastKnownGood:core.v1.NodeConfigSource',
  'core.v1.NodeDaemonEndpoints': 'kubeletEndpoint:core.v1.DaemonEndpoint',
  'core.v1.NodeFeatures': 'supplementalGroupsPolicy:boolean',
  'core.v1.NodeRuntimeHandler': 'features:core.v1.NodeRuntimeHandlerFeatures name:string',
  'core.v1.NodeRuntimeHandlerFeatures': 'recursiveReadOnlyMounts:boolean userNamespaces:boolean',
  'core.v1.NodeSelector': '! nodeSelectorTerms*:[]core.v1.NodeSelectorTerm',
  'core.v1.NodeSelectorRequirement': 'key*:string operator*:string values:[]string',
  'core.v1.NodeSelectorTerm':
    '! matchExpressions:[]core.v1.NodeSelectorRequirement matchFields:[]core.v1.NodeSelectorRequirement',
  'core.v1.NodeSpec':
    'configSource:core.v1.NodeConfigSource externalID:string podCIDR:string podCIDRs:[]string@# providerID:string taints:[]core.v1.Taint unschedulable:boolean',
  'core.v1.NodeStatus':
    'addresses:[]core.v1.NodeAddress@type#type allocatable:{}quantity capacity:{}quantity conditions:[]core.v1.NodeCondition@type#type config:core.v1.NodeConfigStatus daemonEndpoints:core.v1.NodeDaemonEndpoints declaredFeatures:[]string features:core.v1.NodeFeatures images:[]core.v1.ContainerImage nodeInfo:core.v1.NodeSystemInfo phase:string runtimeHandlers:[]core.v1.NodeRuntimeHandler volumesAttached:[]core.v1.AttachedVolume volumesInUse:[]string',
  'core.v1.NodeSwapStatus': 'capacity:int64',
  'core.v1.NodeSystemInfo':
    'architecture*:string bootID*:string containerRuntimeVersion*:string kernelVersion*:string kubeProxyVersion*:string kubeletVersion*:string machineID*:string operatingSystem*:string osImage*:string swap:core.v1.NodeSwapStatus systemUUID*:string',
  'core.v1.ObjectFieldSelector': '! apiVersion:string fieldPath*:string',
  'core.v1.ObjectReference':
    '! apiVersion:string fieldPath:string kind:string name:string namespace:string resourceVersion:string uid:string',
  'core.v1.PersistentVolume':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec:core.v1.PersistentVolumeSpec status:core.v1.PersistentVolumeStatus',
  'core.v1.PersistentVolumeClaim':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec:core.v1.PersistentVolumeClaimSpec status:core.v1.PersistentVolumeClaimStatus',
  'core.v1.PersistentVolumeClaimCondition':
    'lastProbeTime:date-time lastTransitionTime:date-time message:string reason:string status*:string type*:string',
  'core.v1.PersistentVolumeClaimSpec':
    'accessModes:[]string dataSource:core.v1.TypedLocalObjectReference dataSourceRef:core.v1.TypedObjectReference resources:core.v1.VolumeResourceRequirements selector:meta.v1.LabelSelector storageClassName:string volumeAttributesClassName:string volumeMode:string volumeName:string',
  'core.v1.PersistentVolumeClaimStatus':
    'accessModes:[]string allocatedResourceStatuses:{}string allocatedResources:{}quantity capacity:{}quantity conditions:[]core.v1.PersistentVolumeClaimCondition@type#type currentVolumeAttributesClassName:string modifyVolumeStatus:core.v1.ModifyVolumeStatus phase:string',
  'core.v1.PersistentVolumeClaimTemplate': 'metadata:meta.v1.ObjectMeta spec*:core.v1.PersistentVolumeClaimSpec',
  'core.v1.PersistentVolumeClaimVolumeSource': 'claimName*:string readOnly:boolean',
  'core.v1.PersistentVolumeSpec':
    'accessModes:[]string awsElasticBlockStore:core.v1.AWSElasticBlockStoreVolumeSource azureDisk:core.v1.AzureDiskVolumeSource azureFile:core.v1.AzureFilePersistentVolumeSource capacity:{}quantity cephfs:core.v1.CephFSPersistentVolumeSource cinder:core.v1.CinderPersistentVolumeSource claimRef:core.v1.ObjectReference csi:core.v1.CSIPersistentVolumeSource fc:core.v1.FCVolumeSource flexVolume:core.v1.FlexPersistentVolumeSource flocker:core.v1.FlockerVolumeSource gcePersistentDisk:core.v1.GCEPersistentDiskVolumeSource glusterfs:core.v1.GlusterfsPersistentVolumeSource hostPath:core.v1.HostPathVolumeSource iscsi:core.v1.ISCSIPersistentVolumeSource local:core.v1.LocalVolumeSource mountOptions:[]string nfs:core.v1.NFSVolumeSource nodeAffinity:core.v1.VolumeNodeAffinity persistentVolumeReclaimPolicy:string photonPersistentDisk:core.v1.PhotonPersistentDiskVolumeSource portworxVolume:core.v1.PortworxVolumeSource quobyte:core.v1.QuobyteVolumeSource rbd:core.v1.RBDPersistentVolumeSource scaleIO:core.v1.ScaleIOPersistentVolumeSource storageClassName:string storageos:core.v1.StorageOSPersistentVolumeSource volumeAttributesClassName:string volumeMode:string vsphereVolume:core.v1.VsphereVirtualDiskVolumeSource',
  'core.v1.PersistentVolumeStatus': 'lastPhaseTransitionTime:date-time message:string phase:string reason:string',
  'core.v1.PhotonPersistentDiskVolumeSource': 'fsType:string pdID*:string',
  'core.v1.Pod':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec:core.v1.PodSpec status:core.v1.PodStatus',
  'core.v1.PodAffinity':
    'preferredDuringSchedulingIgnoredDuringExecution:[]core.v1.WeightedPodAffinityTerm requiredDuringSchedulingIgnoredDuringExecution:[]core.v1.PodAffinityTerm',
  'core.v1.PodAffinityTerm':
    'labelSelector:meta.v1.LabelSelector matchLabelKeys:[]string mismatchLabelKeys:[]string namespaceSelector:meta.v1.LabelSelector namespaces:[]string topologyKey*:string',
  'core.v1.PodAntiAffinity':
    'preferredDuringSchedulingIgnoredDuringExecution:[]core.v1.WeightedPodAffinityTerm requiredDuringSchedulingIgnoredDuringExecution:[]core.v1.PodAffinityTerm',
  'core.v1.PodCertificateProjection':
    'certificateChainPath:string credentialBundlePath:string keyPath:string keyType*:string maxExpirationSeconds:int32 signerName*:string userAnnotations:{}string',
  'core.v1.PodCondition':
    'lastProbeTime:date-time lastTransitionTime:date-time message:string observedGeneration:int64 reason:string status*:string type*:string',
  'core.v1.PodDNSConfig': 'nameservers:[]string options:[]core.v1.PodDNSConfigOption searches:[]string',
  'core.v1.PodDNSConfigOption': 'name:string value:string',
  'core.v1.PodExtendedResourceClaimStatus':
    'requestMappings*:[]core.v1.ContainerExtendedResourceRequest resourceClaimName*:string',
  'core.v1.PodIP': 'ip*:string',
  'core.v1.PodOS': 'name*:string',
  'core.v1.PodReadinessGate': 'conditionType*:string',
  'core.v1.PodResourceClaim': 'name*:string resourceClaimName:string resourceClaimTemplateName:string',
  'core.v1.PodResourceClaimStatus': 'name*:string resourceClaimName:string',
  'core.v1.PodSchedulingGate': 'name*:string',
  'core.v1.PodSchedulingGroup': 'podGroupName:string',
  'core.v1.PodSecurityContext':
    'appArmorProfile:core.v1.AppArmorProfile fsGroup:int64 fsGroupChangePolicy:string runAsGroup:int64 runAsNonRoot:boolean runAsUser:int64 seLinuxChangePolicy:string seLinuxOptions:core.v1.SELinuxOptions seccompProfile:core.v1.SeccompProfile supplementalGroups:[]int64 supplementalGroupsPolicy:string sysctls:[]core.v1.Sysctl windowsOptions:core.v1.WindowsSecurityContextOptions',
  'core.v1.PodSpec':
    'activeDeadlineSeconds:int64 affinity:core.v1.Affinity automountServiceAccountToken:boolean containers*:[]core.v1.Container@name#name dnsConfig:core.v1.PodDNSConfig dnsPolicy:string enableServiceLinks:boolean ephemeralContainers:[]core.v1.EphemeralContainer@name#name hostAliases:[]core.v1.HostAlias@ip#ip hostIPC:boolean hostNetwork:boolean hostPID:boolean hostUsers:boolean hostname:string hostnameOverride:string imagePullSecrets:[]core.v1.LocalObjectReference@name#name initContainers:[]core.v1.Container@name#name nodeName:string nodeSelector:{}string os:core.v1.PodOS overhead:{}quantity preemptionPolicy:string priority:int32 priorityClassName:string readinessGates:[]core.v1.PodReadinessGate resourceClaims:[]core.v1.PodResourceClaim@name~#name resources:core.v1.ResourceRequirements restartPolicy:string runtimeClassName:string schedulerName:string schedulingGates:[]core.v1.PodSchedulingGate@name#name schedulingGroup:core.v1.PodSchedulingGroup securityContext:core.v1.PodSecurityContext serviceAccount:string serviceAccountName:string setHostnameAsFQDN:boolean shareProcessNamespace:boolean subdomain:string terminationGracePeriodSeconds:int64 tolerations:[]core.v1.Toleration topologySpreadConstraints:[]core.v1.TopologySpreadConstraint@topologyKey#topologyKey,whenUnsatisfiable volumes:[]core.v1.Volume@name~#name',
  'core.v1.PodStatus':
    'allocatedResources:{}quantity conditions:[]core.v1.PodCondition@type#type containerStatuses:[]core.v1.ContainerStatus ephemeralContainerStatuses:[]core.v1.ContainerStatus extendedResourceClaimStatus:core.v1.PodExtendedResourceClaimStatus hostIP:string hostIPs:[]core.v1.HostIP@ip initContainerStatuses:[]core.v1.ContainerStatus message:string nodeAllocatableResourceClaimStatuses:[]core.v1.NodeAllocatableResourceClaimStatus nominatedNodeName:string observedGeneration:int64 phase:string podIP:string podIPs:[]core.v1.PodIP@ip#ip qosClass:string reason:string resize:string resourceClaimStatuses:[]core.v1.PodResourceClaimStatus@name~#name resources:core.v1.ResourceRequirements startTime:date-time',
  'core.v1.PodTemplate': 'apiVersion:string kind:string metadata:meta.v1.ObjectMeta template:core.v1.PodTemplateSpec',
  'core.v1.PodTemplateSpec': 'metadata:meta.v1.ObjectMeta spec:core.v1.PodSpec',
  'core.v1.PortStatus': 'error:string port*:int32 protocol*:string',
  'core.v1.PortworxVolumeSource': 'fsType:string readOnly:boolean volumeID*:string',
  'core.v1.PreferredSchedulingTerm': 'preference*:core.v1.NodeSelectorTerm weight*:int32',
  'core.v1.Probe':
    'exec:core.v1.ExecAction failureThreshold:int32 grpc:core.v1.GRPCAction httpGet:core.v1.HTTPGetAction initialDelaySeconds:int32 periodSeconds:int32 successThreshold:int32 tcpSocket:core.v1.TCPSocketAction terminationGracePeriodSeconds:int64 timeoutSeconds:int32',
  'core.v1.ProjectedVolumeSource': 'defaultMode:int32 sources:[]core.v1.VolumeProjection',
  'core.v1.QuobyteVolumeSource':
    'group:string readOnly:boolean registry*:string tenant:string user:string volume*:string',
  'core.v1.RBDPersistentVolumeSource':
    'fsType:string image*:string keyring:string monitors*:[]string pool:string readOnly:boolean secretRef:core.v1.SecretReference user:string',
  'core.v1.RBDVolumeSource':
    'fsType:string image*:string keyring:string monitors*:[]string pool:string readOnly:boolean secretRef:core.v1.LocalObjectReference user:string',
  'core.v1.ReplicationController':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec:core.v1.ReplicationControllerSpec status:core.v1.ReplicationControllerStatus',
  'core.v1.ReplicationControllerCondition':
    'lastTransitionTime:date-time message:string reason:string status*:string type*:string',
  'core.v1.ReplicationControllerSpec':
    'minReadySeconds:int32 replicas:int32 selector:{}string template:core.v1.PodTemplateSpec',
  'core.v1.ReplicationControllerStatus':
    'availableReplicas:int32 conditions:[]core.v1.ReplicationControllerCondition@type#type fullyLabeledReplicas:int32 observedGeneration:int64 readyReplicas:int32 replicas*:int32',
  'core.v1.ResourceClaim': 'name*:string request:string',
  'core.v1.ResourceFieldSelector': '! containerName:string divisor:quantity resource*:string',
  'core.v1.ResourceHealth': 'health:string message:string resourceID*:string',
  'core.v1.ResourceQuota':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec:core.v1.ResourceQuotaSpec status:core.v1.ResourceQuotaStatus',
  'core.v1.ResourceQuotaSpec': 'hard:{}quantity scopeSelector:core.v1.ScopeSelector scopes:[]string',
  'core.v1.ResourceQuotaStatus': 'hard:{}quantity used:{}quantity',
  'core.v1.ResourceRequirements': 'claims:[]core.v1.ResourceClaim#name limits:{}quantity requests:{}quantity',
  'core.v1.ResourceStatus': 'name*:string resources:[]core.v1.ResourceHealth#resourceID',
  'core.v1.SELinuxOptions': 'level:string role:string type:string user:string',
  'core.v1.ScaleIOPersistentVolumeSource':
    'fsType:string gateway*:string protectionDomain:string readOnly:boolean secretRef*:core.v1.SecretReference sslEnabled:boolean storageMode:string storagePool:string system*:string volumeName:string',
  'core.v1.ScaleIOVolumeSource':
    'fsType:string gateway*:string protectionDomain:string readOnly:boolean secretRef*:core.v1.LocalObjectReference sslEnabled:boolean storageMode:string storagePool:string system*:string volumeName:string',
  'core.v1.ScopeSelector': '! matchExpressions:[]core.v1.ScopedResourceSelectorRequirement',
  'core.v1.ScopedResourceSelectorRequirement': 'operator*:string scopeName*:string values:[]string',
  'core.v1.SeccompProfile': 'localhostProfile:string type*:string',
  'core.v1.Secret':
    'apiVersion:string data:{}byte immutable:boolean kind:string metadata:meta.v1.ObjectMeta stringData:{}string type:string',
  'core.v1.SecretEnvSource': 'name:string optional:boolean',
  'core.v1.SecretKeySelector': '! key*:string name:string optional:boolean',
  'core.v1.SecretProjection': 'items:[]core.v1.KeyToPath name:string optional:boolean',
  'core.v1.SecretReference': '! name:string namespace:string',
  'core.v1.SecretVolumeSource': 'defaultMode:int32 items:[]core.v1.KeyToPath optional:boolean secretName:string',
  'core.v1.SecurityContext':
    'allowPrivilegeEscalation:boolean appArmorProfile:core.v1.AppArmorProfile capabilities:core.v1.Capabilities privileged:boolean procMount:string readOnlyRootFilesystem:boolean runAsGroup:int64 runAsNonRoot:boolean runAsUser:int64 seLinuxOptions:core.v1.SELinuxOptions seccompProfile:core.v1.SeccompProfile windowsOptions:core.v1.WindowsSecurityContextOptions',
  'core.v1.Service':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec:core.v1.ServiceSpec status:core.v1.ServiceStatus',
  'core.v1.ServiceAccount':
    'apiVersion:string automountServiceAccountToken:boolean imagePullSecrets:[]core.v1.LocalObjectReference kind:string metadata:meta.v1.ObjectMeta secrets:[]core.v1.ObjectReference@name#name',
  'core.v1.ServiceAccountTokenProjection': 'audience:string expirationSeconds:int64 path*:string',
  'core.v1.ServicePort':
    'appProtocol:string name:string nodePort:int32 port*:int32 protocol:string targetPort:int-or-string',
  'core.v1.ServiceSpec':
    'allocateLoadBalancerNodePorts:boolean clusterIP:string clusterIPs:[]string externalIPs:[]string externalName:string externalTrafficPolicy:string healthCheckNodePort:int32 internalTrafficPolicy:string ipFamilies:[]string ipFamilyPolicy:string loadBalancerClass:string loadBalancerIP:string loadBalancerSourceRanges:[]string ports:[]core.v1.ServicePort@port#port,protocol publishNotReadyAddresses:boolean selector:{}string sessionAffinity:string sessionAffinityConfig:core.v1.SessionAffinityConfig trafficDistribution:string type:string',
  'core.v1.ServiceStatus': 'conditions:[]meta.v1.Condition@type#type loadBalancer:core.v1.LoadBalancerStatus',
  'core.v1.SessionAffinityConfig': 'clientIP:core.v1.ClientIPConfig',
  'core.v1.SleepAction': 'seconds*:int64',
  'core.v1.StorageOSPersistentVolumeSource':
    'fsType:string readOnly:boolean secretRef:core.v1.ObjectReference volumeName:string volumeNamespace:string',
  'core.v1.StorageOSVolumeSource':
    'fsType:string readOnly:boolean secretRef:core.v1.LocalObjectReference volumeName:string volumeNamespace:string',
  'core.v1.Sysctl': 'name*:string value*:string',
  'core.v1.TCPSocketAction': 'host:string port*:int-or-string',
  'core.v1.Taint': 'effect*:string key*:string timeAdded:date-time value:string',
  'core.v1.Toleration': 'effect:string key:string operator:string tolerationSeconds:int64 value:string',
  'core.v1.TopologySelectorLabelRequirement': 'key*:string values*:[]string',
  'core.v1.TopologySelectorTerm': '! matchLabelExpressions:[]core.v1.TopologySelectorLabelRequirement',
  'core.v1.TopologySpreadConstraint':
    'labelSelector:meta.v1.LabelSelector matchLabelKeys:[]string maxSkew*:int32 minDomains:int32 nodeAffinityPolicy:string nodeTaintsPolicy:string topologyKey*:string whenUnsatisfiable*:string',
  'core.v1.TypedLocalObjectReference': '! apiGroup:string kind*:string name*:string',
  'core.v1.TypedObjectReference': 'apiGroup:string kind*:string name*:string namespace:string',
  'core.v1.Volume':
    'awsElasticBlockStore:core.v1.AWSElasticBlockStoreVolumeSource azureDisk:core.v1.AzureDiskVolumeSource azureFile:core.v1.AzureFileVolumeSource cephfs:core.v1.CephFSVolumeSource cinder:core.v1.CinderVolumeSource configMap:core.v1.ConfigMapVolumeSource csi:core.v1.CSIVolumeSource downwardAPI:core.v1.DownwardAPIVolumeSource emptyDir:core.v1.EmptyDirVolumeSource ephemeral:core.v1.EphemeralVolumeSource fc:core.v1.FCVolumeSource flexVolume:core.v1.FlexVolumeSource flocker:core.v1.FlockerVolumeSource gcePersistentDisk:core.v1.GCEPersistentDiskVolumeSource gitRepo:core.v1.GitRepoVolumeSource glusterfs:core.v1.GlusterfsVolumeSource hostPath:core.v1.HostPathVolumeSource image:core.v1.ImageVolumeSource iscsi:core.v1.ISCSIVolumeSource name*:string nfs:core.v1.NFSVolumeSource persistentVolumeClaim:core.v1.PersistentVolumeClaimVolumeSource photonPersistentDisk:core.v1.PhotonPersistentDiskVolumeSource portworxVolume:core.v1.PortworxVolumeSource projected:core.v1.ProjectedVolumeSource quobyte:core.v1.QuobyteVolumeSource rbd:core.v1.RBDVolumeSource scaleIO:core.v1.ScaleIOVolumeSource secret:core.v1.SecretVolumeSource storageos:core.v1.StorageOSVolumeSource vsphereVolume:core.v1.VsphereVirtualDiskVolumeSource',
  'core.v1.VolumeDevice': 'devicePath*:string name*:string',
  'core.v1.VolumeMount':
    'mountPath*:string mountPropagation:string name*:string readOnly:boolean recursiveReadOnly:string subPath:string subPathExpr:string',
  'core.v1.VolumeMountStatus':
    'mountPath*:string name*:string readOnly:boolean recursiveReadOnly:string volumeStatus:core.v1.VolumeStatus',
  'core.v1.VolumeNodeAffinity': 'required:core.v1.NodeSelector',
  'core.v1.VolumeProjection':
    'clusterTrustBundle:core.v1.ClusterTrustBundleProjection configMap:core.v1.ConfigMapProjection downwardAPI:core.v1.DownwardAPIProjection podCertificate:core.v1.PodCertificateProjection secret:core.v1.SecretProjection serviceAccountToken:core.v1.ServiceAccountTokenProjection',
  'core.v1.VolumeResourceRequirements': 'limits:{}quantity requests:{}quantity',
  'core.v1.VolumeStatus': 'image:core.v1.ImageVolumeStatus',
  'core.v1.VsphereVirtualDiskVolumeSource':
    'fsType:string storagePolicyID:string storagePolicyName:string volumePath*:string',
  'core.v1.WeightedPodAffinityTerm': 'podAffinityTerm*:core.v1.PodAffinityTerm weight*:int32',
  'core.v1.WindowsSecurityContextOptions':
    'gmsaCredentialSpec:string gmsaCredentialSpecName:string hostProcess:boolean runAsUserName:string',
  'discovery.v1.Endpoint':
    'addresses*:[]string# conditions:discovery.v1.EndpointConditions deprecatedTopology:{}string hints:discovery.v1.EndpointHints hostname:string nodeName:string targetRef:core.v1.ObjectReference zone:string',
  'discovery.v1.EndpointConditions': 'ready:boolean serving:boolean terminating:boolean',
  'discovery.v1.EndpointHints': 'forNodes:[]discovery.v1.ForNode forZones:[]discovery.v1.ForZone',
  'discovery.v1.EndpointPort': '! appProtocol:string name:string port:int32 protocol:string',
  'discovery.v1.EndpointSlice':
    'addressType*:string apiVersion:string endpoints:[]discovery.v1.Endpoint kind:string metadata:meta.v1.ObjectMeta ports:[]discovery.v1.EndpointPort',
  'discovery.v1.ForNode': 'name*:string',
  'discovery.v1.ForZone': 'name*:string',
  'meta.v1.Condition':
    'lastTransitionTime*:date-time message*:string observedGeneration:int64 reason*:string status*:string type*:string',
  'meta.v1.DeleteOptions':
    'apiVersion:string dryRun:[]string gracePeriodSeconds:int64 ignoreStoreReadErrorWithClusterBreakingPotential:boolean kind:string orphanDependents:boolean preconditions:meta.v1.Preconditions propagationPolicy:string',
  'meta.v1.FieldSelectorRequirement': 'key*:string operator*:string values:[]string',
  'meta.v1.LabelSelector': '! matchExpressions:[]meta.v1.LabelSelectorRequirement matchLabels:{}string',
  'meta.v1.LabelSelectorRequirement': 'key*:string operator*:string values:[]string',
  'meta.v1.ManagedFieldsEntry':
    'apiVersion:string fieldsType:string fieldsV1:any manager:string operation:string subresource:string time:date-time',
  'meta.v1.ObjectMeta':
    'annotations:{}string creationTimestamp:date-time deletionGracePeriodSeconds:int64 deletionTimestamp:date-time finalizers:[]string@# generateName:string generation:int64 labels:{}string managedFields:[]meta.v1.ManagedFieldsEntry name:string namespace:string ownerReferences:[]meta.v1.OwnerReference@uid#uid resourceVersion:string selfLink:string uid:string',
  'meta.v1.OwnerReference':
    '! apiVersion*:string blockOwnerDeletion:boolean controller:boolean kind*:string name*:string uid*:string',
  'meta.v1.Preconditions': 'resourceVersion:string uid:string',
  'networking.v1.HTTPIngressPath': 'backend*:networking.v1.IngressBackend path:string pathType*:string',
  'networking.v1.HTTPIngressRuleValue': 'paths*:[]networking.v1.HTTPIngressPath',
  'networking.v1.IPAddress':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec*:networking.v1.IPAddressSpec',
  'networking.v1.IPAddressSpec': 'parentRef*:networking.v1.ParentReference',
  'networking.v1.IPBlock': 'cidr*:string except:[]string',
  'networking.v1.Ingress':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec:networking.v1.IngressSpec status:networking.v1.IngressStatus',
  'networking.v1.IngressBackend':
    'resource:core.v1.TypedLocalObjectReference service:networking.v1.IngressServiceBackend',
  'networking.v1.IngressClass':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec:networking.v1.IngressClassSpec',
  'networking.v1.IngressClassParametersReference':
    'apiGroup:string kind*:string name*:string namespace:string scope:string',
  'networking.v1.IngressClassSpec': 'controller:string parameters:networking.v1.IngressClassParametersReference',
  'networking.v1.IngressLoadBalancerIngress': 'hostname:string ip:string ports:[]networking.v1.IngressPortStatus',
  'networking.v1.IngressLoadBalancerStatus': 'ingress:[]networking.v1.IngressLoadBalancerIngress',
  'networking.v1.IngressPortStatus': 'error:string port*:int32 protocol*:string',
  'networking.v1.IngressRule': 'host:string http:networking.v1.HTTPIngressRuleValue',
  'networking.v1.IngressServiceBackend': 'name*:string port:networking.v1.ServiceBackendPort',
  'networking.v1.IngressSpec':
    'defaultBackend:networking.v1.IngressBackend ingressClassName:string rules:[]networking.v1.IngressRule tls:[]networking.v1.IngressTLS',
  'networking.v1.IngressStatus': 'loadBalancer:networking.v1.IngressLoadBalancerStatus',
  'networking.v1.IngressTLS': 'hosts:[]string secretName:string',
  'networking.v1.NetworkPolicy':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec:networking.v1.NetworkPolicySpec',
  'networking.v1.NetworkPolicyEgressRule':
    'ports:[]networking.v1.NetworkPolicyPort to:[]networking.v1.NetworkPolicyPeer',
  'networking.v1.NetworkPolicyIngressRule':
    'from:[]networking.v1.NetworkPolicyPeer ports:[]networking.v1.NetworkPolicyPort',
  'networking.v1.NetworkPolicyPeer':
    'ipBlock:networking.v1.IPBlock namespaceSelector:meta.v1.LabelSelector podSelector:meta.v1.LabelSelector',
  'networking.v1.NetworkPolicyPort': 'endPort:int32 port:int-or-string protocol:string',
  'networking.v1.NetworkPolicySpec':
    'egress:[]networking.v1.NetworkPolicyEgressRule ingress:[]networking.v1.NetworkPolicyIngressRule podSelector:meta.v1.LabelSelector policyTypes:[]string',
  'networking.v1.ParentReference': 'group:string name*:string namespace:string resource*:string',
  'networking.v1.ServiceBackendPort': '! name:string number:int32',
  'networking.v1.ServiceCIDR':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec:networking.v1.ServiceCIDRSpec status:networking.v1.ServiceCIDRStatus',
  'networking.v1.ServiceCIDRSpec': 'cidrs:[]string',
  'networking.v1.ServiceCIDRStatus': 'conditions:[]meta.v1.Condition@type#type',
  'node.v1.Overhead': 'podFixed:{}quantity',
  'node.v1.RuntimeClass':
    'apiVersion:string handler*:string kind:string metadata:meta.v1.ObjectMeta overhead:node.v1.Overhead scheduling:node.v1.Scheduling',
  'node.v1.Scheduling': 'nodeSelector:{}string tolerations:[]core.v1.Toleration',
  'policy.v1.Eviction': 'apiVersion:string deleteOptions:meta.v1.DeleteOptions kind:string metadata:meta.v1.ObjectMeta',
  'policy.v1.PodDisruptionBudget':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec:policy.v1.PodDisruptionBudgetSpec status:policy.v1.PodDisruptionBudgetStatus',
  'policy.v1.PodDisruptionBudgetSpec':
    'maxUnavailable:int-or-string minAvailable:int-or-string selector:meta.v1.LabelSelector unhealthyPodEvictionPolicy:string',
  'policy.v1.PodDisruptionBudgetStatus':
    'conditions:[]meta.v1.Condition@type#type currentHealthy:int32 desiredHealthy:int32 disruptedPods:{}date-time disruptionsAllowed:int32 expectedPods:int32 observedGeneration:int64',
  'rbac.v1.AggregationRule': 'clusterRoleSelectors:[]meta.v1.LabelSelector',
  'rbac.v1.ClusterRole':
    'aggregationRule:rbac.v1.AggregationRule apiVersion:string kind:string metadata:meta.v1.ObjectMeta rules:[]rbac.v1.PolicyRule',
  'rbac.v1.ClusterRoleBinding':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta roleRef*:rbac.v1.RoleRef subjects:[]rbac.v1.Subject',
  'rbac.v1.PolicyRule':
    'apiGroups:[]string nonResourceURLs:[]string resourceNames:[]string resources:[]string verbs*:[]string',
  'rbac.v1.Role': 'apiVersion:string kind:string metadata:meta.v1.ObjectMeta rules:[]rbac.v1.PolicyRule',
  'rbac.v1.RoleBinding':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta roleRef*:rbac.v1.RoleRef subjects:[]rbac.v1.Subject',
  'rbac.v1.RoleRef': '! apiGroup:string kind*:string name*:string',
  'rbac.v1.Subject': '! apiGroup:string kind*:string name*:string namespace:string',
  'resource.v1.AllocatedDeviceStatus':
    'conditions:[]meta.v1.Condition#type data:any device*:string driver*:string networkData:resource.v1.NetworkDeviceData pool*:string shareID:string',
  'resource.v1.AllocationResult':
    'allocationTimestamp:date-time devices:resource.v1.DeviceAllocationResult nodeSelector:core.v1.NodeSelector',
  'resource.v1.CELDeviceSelector': 'expression*:string',
  'resource.v1.CapacityRequestPolicy':
    'default:quantity validRange:resource.v1.CapacityRequestPolicyRange validValues:[]quantity',
  'resource.v1.CapacityRequestPolicyRange': 'max:quantity min*:quantity step:quantity',
  'resource.v1.CapacityRequirements': 'requests:{}quantity',
  'resource.v1.Counter': 'value*:quantity',
  'resource.v1.CounterSet': 'counters*:{}resource.v1.Counter name*:string',
  'resource.v1.Device':
    'allNodes:boolean allowMultipleAllocations:boolean attributes:{}resource.v1.DeviceAttribute bindingConditions:[]string bindingFailureConditions:[]string bindsToNode:boolean capacity:{}resource.v1.DeviceCapacity consumesCounters:[]resource.v1.DeviceCounterConsumption name*:string nodeAllocatableResourceMappings:{}resource.v1.NodeAllocatableResourceMapping nodeName:string nodeSelector:core.v1.NodeSelector taints:[]resource.v1.DeviceTaint',
  'resource.v1.DeviceAllocationConfiguration':
    'opaque:resource.v1.OpaqueDeviceConfiguration requests:[]string source*:string',
  'resource.v1.DeviceAllocationResult':
    'config:[]resource.v1.DeviceAllocationConfiguration results:[]resource.v1.DeviceRequestAllocationResult',
  'resource.v1.DeviceAttribute':
    'bool:boolean bools:[]boolean int:int64 ints:[]int64 string:string strings:[]string version:string versions:[]string',
  'resource.v1.DeviceCapacity': 'requestPolicy:resource.v1.CapacityRequestPolicy value*:quantity',
  'resource.v1.DeviceClaim':
    'config:[]resource.v1.DeviceClaimConfiguration constraints:[]resource.v1.DeviceConstraint requests:[]resource.v1.DeviceRequest',
  'resource.v1.DeviceClaimConfiguration': 'opaque:resource.v1.OpaqueDeviceConfiguration requests:[]string',
  'resource.v1.DeviceClass':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec*:resource.v1.DeviceClassSpec',
  'resource.v1.DeviceClassConfiguration': 'opaque:resource.v1.OpaqueDeviceConfiguration',
  'resource.v1.DeviceClassSpec':
    'config:[]resource.v1.DeviceClassConfiguration extendedResourceName:string selectors:[]resource.v1.DeviceSelector',
  'resource.v1.DeviceConstraint': 'distinctAttribute:string matchAttribute:string requests:[]string',
  'resource.v1.DeviceCounterConsumption': 'counterSet*:string counters*:{}resource.v1.Counter',
  'resource.v1.DeviceRequest':
    'exactly:resource.v1.ExactDeviceRequest firstAvailable:[]resource.v1.DeviceSubRequest name*:string',
  'resource.v1.DeviceRequestAllocationResult':
    'adminAccess:boolean bindingConditions:[]string bindingFailureConditions:[]string consumedCapacity:{}quantity device*:string driver*:string pool*:string request*:string shareID:string tolerations:[]resource.v1.DeviceToleration',
  'resource.v1.DeviceSelector': 'cel:resource.v1.CELDeviceSelector',
  'resource.v1.DeviceSubRequest':
    'allocationMode:string capacity:resource.v1.CapacityRequirements count:int64 deviceClassName*:string name*:string selectors:[]resource.v1.DeviceSelector tolerations:[]resource.v1.DeviceToleration',
  'resource.v1.DeviceTaint': 'effect*:string key*:string timeAdded:date-time value:string',
  'resource.v1.DeviceToleration': 'effect:string key:string operator:string tolerationSeconds:int64 value:string',
  'resource.v1.ExactDeviceRequest':
    'adminAccess:boolean allocationMode:string capacity:resource.v1.CapacityRequirements count:int64 deviceClassName*:string selectors:[]resource.v1.DeviceSelector tolerations:[]resource.v1.DeviceToleration',
  'resource.v1.NetworkDeviceData': 'hardwareAddress:string interfaceName:string ips:[]string',
  'resource.v1.NodeAllocatableResourceMapping': 'allocationMultiplier:quantity capacityKey:string',
  'resource.v1.OpaqueDeviceConfiguration': 'driver*:string parameters*:any',
  'resource.v1.ResourceClaim':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec*:resource.v1.ResourceClaimSpec status:resource.v1.ResourceClaimStatus',
  'resource.v1.ResourceClaimConsumerReference': 'apiGroup:string name*:string resource*:string uid*:string',
  'resource.v1.ResourceClaimSpec': 'devices:resource.v1.DeviceClaim',
  'resource.v1.ResourceClaimStatus':
    'allocation:resource.v1.AllocationResult devices:[]resource.v1.AllocatedDeviceStatus#driver,device,pool,shareID reservedFor:[]resource.v1.ResourceClaimConsumerReference@uid#uid',
  'resource.v1.ResourceClaimTemplate':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec*:resource.v1.ResourceClaimTemplateSpec',
  'resource.v1.ResourceClaimTemplateSpec': 'metadata:meta.v1.ObjectMeta spec*:resource.v1.ResourceClaimSpec',
  'resource.v1.ResourcePool': 'generation*:int64 name*:string resourceSliceCount*:int64',
  'resource.v1.ResourceSlice':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec*:resource.v1.ResourceSliceSpec',
  'resource.v1.ResourceSliceSpec':
    'allNodes:boolean devices:[]resource.v1.Device driver*:string nodeName:string nodeSelector:core.v1.NodeSelector perDeviceNodeSelection:boolean pool*:resource.v1.ResourcePool sharedCounters:[]resource.v1.CounterSet',
  'scheduling.v1.PriorityClass':
    'apiVersion:string description:string globalDefault:boolean kind:string metadata:meta.v1.ObjectMeta preemptionPolicy:string value:int32',
  'storage.v1.CSIDriver': 'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec*:storage.v1.CSIDriverSpec',
  'storage.v1.CSIDriverSpec':
    'attachRequired:boolean fsGroupPolicy:string nodeAllocatableUpdatePeriodSeconds:int64 podInfoOnMount:boolean preventPodSchedulingIfMissing:boolean requiresRepublish:boolean seLinuxMount:boolean serviceAccountTokenInSecrets:boolean storageCapacity:boolean tokenRequests:[]storage.v1.TokenRequest volumeLifecycleModes:[]string#',
  'storage.v1.CSINode': 'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec*:storage.v1.CSINodeSpec',
  'storage.v1.CSINodeDriver':
    'allocatable:storage.v1.VolumeNodeResources name*:string nodeID*:string topologyKeys:[]string',
  'storage.v1.CSINodeSpec': 'drivers*:[]storage.v1.CSINodeDriver@name#name',
  'storage.v1.CSIStorageCapacity':
    'apiVersion:string capacity:quantity kind:string maximumVolumeSize:quantity metadata:meta.v1.ObjectMeta nodeTopology:meta.v1.LabelSelector storageClassName*:string',
  'storage.v1.StorageClass':
    'allowVolumeExpansion:boolean allowedTopologies:[]core.v1.TopologySelectorTerm apiVersion:string kind:string metadata:meta.v1.ObjectMeta mountOptions:[]string parameters:{}string provisioner*:string reclaimPolicy:string volumeBindingMode:string',
  'storage.v1.TokenRequest': 'audience*:string expirationSeconds:int64',
  'storage.v1.VolumeAttachment':
    'apiVersion:string kind:string metadata:meta.v1.ObjectMeta spec*:storage.v1.VolumeAttachmentSpec status:storage.v1.VolumeAttachmentStatus',
  'storage.v1.VolumeAttachmentSource': 'inlineVolumeSpec:core.v1.PersistentVolumeSpec persistentVolumeName:string',
  'storage.v1.VolumeAttachmentSpec': 'attacher*:string nodeName*:string source*:storage.v1.VolumeAttachmentSource',
  'storage.v1.VolumeAttachmentStatus':
    'attachError:storage.v1.VolumeError attached*:boolean attachmentMetadata:{}string detachError:storage.v1.VolumeError',
  'storage.v1.VolumeAttributesClass':
    'apiVersion:string driverName*:string kind:string metadata:meta.v1.ObjectMeta parameters:{}string',
  'storage.v1.VolumeError': 'errorCode:int32 message:string time:date-time',
  'storage.v1.VolumeNodeResources': 'count:int32',
};
