/** A duration in Go's notation, such as `1m30s` or `100ms`; parse it with `parseGoDuration` of `@podwright/time`. */
type Duration = string;
/** A quantity, such as `10Mi`. */
type QuantityText = string;
type Texts = readonly string[];
type TextMap = Readonly<Record<string, string>>;

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
  readonly timeAdded?: string;
}

/** Options of one log format. */
export interface LogFormatOptions {
  readonly splitStream: boolean;
  readonly infoBufferSize: QuantityText;
}

export interface LoggingConfiguration {
  readonly format: string;
  readonly flushFrequency: Duration;
  readonly verbosity: number;
  readonly vmodule: readonly { readonly filePattern: string; readonly verbosity: number }[];
  readonly options: { readonly text: LogFormatOptions; readonly json: LogFormatOptions };
}

export interface TracingConfiguration {
  readonly endpoint?: string;
  readonly samplingRatePerMillion?: number;
}

/** HTTPS server, TLS, authentication and authorization. */
export interface ServerConfiguration {
  readonly enableServer: boolean;
  readonly address: string;
  readonly port: number;
  readonly readOnlyPort: number;
  readonly tlsCertFile: string;
  readonly tlsPrivateKeyFile: string;
  readonly tlsCipherSuites: Texts;
  readonly tlsCurvePreferences: readonly number[];
  readonly tlsMinVersion: string;
  readonly rotateCertificates: boolean;
  readonly serverTLSBootstrap: boolean;
  readonly authentication: {
    readonly x509: { readonly clientCAFile: string };
    readonly webhook: { readonly enabled: boolean; readonly cacheTTL: Duration };
    readonly anonymous: { readonly enabled: boolean };
  };
  readonly authorization: {
    readonly mode: string;
    readonly webhook: { readonly cacheAuthorizedTTL: Duration; readonly cacheUnauthorizedTTL: Duration };
  };
  readonly enableDebuggingHandlers: boolean;
  readonly enableContentionProfiling: boolean;
  readonly enableProfilingHandler: boolean;
  readonly enableDebugFlagsHandler: boolean;
  readonly enableSystemLogHandler: boolean;
  readonly enableSystemLogQuery: boolean;
  readonly healthzPort: number;
  readonly healthzBindAddress: string;
  readonly streamingConnectionIdleTimeout: Duration;
  readonly showHiddenMetricsForVersion: string;
}

/** Sources of static pods, and how often the kubelet checks and syncs pods. */
export interface PodSourceConfiguration {
  readonly staticPodPath: string;
  readonly staticPodURL: string;
  readonly staticPodURLHeader: Readonly<Record<string, Texts>>;
  readonly podLogsDir: string;
  readonly syncFrequency: Duration;
  readonly fileCheckFrequency: Duration;
  readonly httpCheckFrequency: Duration;
  readonly maxPods: number;
  readonly podsPerCore: number;
  readonly podCIDR: string;
  readonly runOnce: boolean;
  readonly allowedUnsafeSysctls: Texts;
  readonly registerNode: boolean;
  readonly registerWithTaints: readonly Taint[];
  readonly providerID: string;
}

/** API client, events and node status. */
export interface NodeStatusConfiguration {
  readonly contentType: string;
  readonly kubeAPIQPS: number;
  readonly kubeAPIBurst: number;
  readonly eventRecordQPS: number;
  readonly eventBurst: number;
  readonly nodeStatusUpdateFrequency: Duration;
  readonly nodeStatusReportFrequency: Duration;
  readonly nodeLeaseDurationSeconds: number;
  /** -1 = all. */
  readonly nodeStatusMaxImages: number;
  readonly configMapAndSecretChangeDetectionStrategy: string;
}

/** Images and container logs. */
export interface ImageConfiguration {
  readonly registryPullQPS: number;
  readonly registryBurst: number;
  readonly serializeImagePulls: boolean;
  /** Absent: no limit. */
  readonly maxParallelImagePulls?: number;
  readonly imagePullCredentialsVerificationPolicy: string;
  readonly preloadedImagesVerificationAllowlist: Texts;
  readonly imageMinimumGCAge: Duration;
  readonly imageMaximumGCAge: Duration;
  readonly imageGCHighThresholdPercent: number;
  readonly imageGCLowThresholdPercent: number;
  readonly containerLogMaxSize: QuantityText;
  readonly containerLogMaxFiles: number;
  readonly containerLogMaxWorkers: number;
  readonly containerLogMonitorInterval: Duration;
  readonly containerRuntimeEndpoint: string;
  readonly imageServiceEndpoint: string;
  readonly runtimeRequestTimeout: Duration;
}

/** DNS and network. */
export interface NetworkConfiguration {
  readonly clusterDomain: string;
  readonly clusterDNS: Texts;
  /** Empty: no base resolver file. */
  readonly resolvConf: string;
  readonly hairpinMode: string;
  readonly makeIPTablesUtilChains: boolean;
  readonly iptablesMasqueradeBit: number;
  readonly iptablesDropBit: number;
}

/** Cgroups, reservations and resource managers. */
export interface ResourceConfiguration {
  readonly kubeletCgroups: string;
  readonly systemCgroups: string;
  readonly cgroupRoot: string;
  readonly cgroupsPerQOS: boolean;
  readonly cgroupDriver: string;
  readonly cpuManagerPolicy: string;
  readonly cpuManagerPolicyOptions: TextMap;
  readonly cpuManagerReconcilePeriod: Duration;
  readonly memoryManagerPolicy: string;
  readonly topologyManagerPolicy: string;
  readonly topologyManagerScope: string;
  readonly topologyManagerPolicyOptions: TextMap;
  readonly qosReserved: TextMap;
  readonly reservedMemory: readonly { readonly numaNode: number; readonly limits: TextMap }[];
  /** -1 = no limit. */
  readonly podPidsLimit: number;
  readonly cpuCFSQuota: boolean;
  readonly cpuCFSQuotaPeriod: Duration;
  readonly oomScoreAdj: number;
  readonly maxOpenFiles: number;
  readonly protectKernelDefaults: boolean;
  readonly systemReserved: TextMap;
  readonly kubeReserved: TextMap;
  readonly reservedSystemCPUs: string;
  readonly systemReservedCgroup: string;
  readonly kubeReservedCgroup: string;
  readonly enforceNodeAllocatable: Texts;
  readonly failSwapOn: boolean;
  readonly memorySwap: { readonly swapBehavior: string };
  /** Absent: true on cgroup v1, false on v2. */
  readonly singleProcessOOMKill?: boolean;
  readonly memoryThrottlingFactor: number;
  readonly memoryReservationPolicy: string;
  readonly failCgroupV1: boolean;
  readonly seccompDefault: boolean;
  readonly localStorageCapacityIsolation: boolean;
  readonly userNamespaces: { readonly idsPerPod?: number };
}

export interface EvictionConfiguration {
  /** Eviction signal -> quantity or percentage. */
  readonly evictionHard: TextMap;
  readonly evictionSoft: TextMap;
  readonly evictionSoftGracePeriod: TextMap;
  readonly evictionPressureTransitionPeriod: Duration;
  readonly evictionMaxPodGracePeriod: number;
  readonly evictionMinimumReclaim: TextMap;
  readonly mergeDefaultEvictionSettings: boolean;
  readonly kernelMemcgNotification: boolean;
}

/** Storage, shutdown and the rest. */
export interface LifecycleConfiguration {
  readonly volumeStatsAggPeriod: Duration;
  readonly enableControllerAttachDetach: boolean;
  readonly volumePluginDir: string;
  readonly shutdownGracePeriod: Duration;
  readonly shutdownGracePeriodCriticalPods: Duration;
  readonly shutdownGracePeriodByPodPriority: readonly {
    readonly priority: number;
    readonly shutdownGracePeriodSeconds: number;
  }[];
  readonly crashLoopBackOff: { readonly maxContainerRestartPeriod?: Duration };
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly logging: LoggingConfiguration;
  readonly tracing?: TracingConfiguration;
}

/**
 * A complete KubeletConfiguration with all defaults. A field without a value is the empty text, list or map; only
 * optional fields may be absent. Durations are in Go's notation, see `parseGoDuration` of `@podwright/time`.
 * Source: kubernetes v1.36 staging/src/k8s.io/kubelet/config/v1beta1/types.go.
 */
export type KubeletConfiguration = ServerConfiguration &
  PodSourceConfiguration &
  NodeStatusConfiguration &
  ImageConfiguration &
  NetworkConfiguration &
  ResourceConfiguration &
  EvictionConfiguration &
  LifecycleConfiguration;

type Partly<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: Partly<T[K]> | undefined }
    : T;

/** A configuration without defaults, as in a file: any field may be absent. */
export type PartialKubeletConfiguration = Partly<KubeletConfiguration>;
